/* The EICAR test file. Partly in hexadecimal, so that scanners do not report this file. */

rule eicar_test_file {
  meta:
    id = "Docvet.Test.Eicar"
    title = "EICAR test file"
    reason = "The document contains the EICAR test string. It is harmless; scanners report it to show that they work."
    severity = "malicious"
    scope = "any"
  strings:
    $text = "\x58\x35\x4f!P%@AP[4\\PZX54(P^)7CC)7}$\x45ICAR-STANDARD-\x41NTIVIRUS-TEST-FILE!$H+H*"
  condition:
    $text
}
