/* The test file that every scanner must find. Partly in hexadecimal, so that this file itself is not found. */

rule eicar_test_file {
  meta:
    id = "Docvet.Test.Eicar"
    title = "EICAR test file"
    reason = "The document contains the harmless text that all scanners report, to prove that they work."
    severity = "malicious"
  strings:
    $text = "\x58\x35\x4f!P%@AP[4\\PZX54(P^)7CC)7}$\x45ICAR-STANDARD-\x41NTIVIRUS-TEST-FILE!$H+H*"
  condition:
    $text
}
