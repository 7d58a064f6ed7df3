/* Programs and shortcuts inside documents, plain or written as text. */

rule program_dos_stub {
  meta:
    id = "Docvet.Embedded.ProgramStart"
    title = "Program header inside the document"
    reason = "The document contains the header of a Windows program."
    technique = "T1027.009"
    severity = "suspicious"
    scope = "any"
  strings:
    // The code that prints the message, and its beginning: "This program ".
    $stub = { 0E 1F BA 0E 00 B4 09 CD 21 B8 01 4C CD 21 54 68 69 73 20 70 72 6F 67 72 61 6D 20 }
  condition:
    $stub
}

rule program_as_hex_in_rtf {
  meta:
    id = "Docvet.Rtf.EncodedExecutable"
    title = "Program inside the RTF document"
    reason = "An object in the document contains a program in hexadecimal digits."
    technique = "T1027.009"
    severity = "malicious"
    scope = "any"
  strings:
    $object = "\\objdata"
    $program = "4d5a90000300000004000000ffff0000" nocase
  condition:
    all of them
}

rule program_as_base64 {
  meta:
    id = "Docvet.Embedded.EncodedExecutable"
    title = "Program in Base64"
    reason = "The text contains a Windows program in Base64."
    technique = "T1027.009"
    severity = "suspicious"
    scope = "any"
  strings:
    $program = "TVqQAAMAAAAEAAAA//8AALgAAAA" ascii wide
  condition:
    $program
}

rule program_as_base64_saved_by_script {
  meta:
    id = "Docvet.Html.Smuggling"
    title = "Page that assembles and saves a program"
    reason = "A script in the page builds a Windows program from Base64 and offers it as a download."
    technique = "T1027.006"
    severity = "malicious"
    scope = "any"
  strings:
    $program = "TVqQAAMAAAAEAAAA//8AALgAAAA"
    $save_1 = "createObjectURL" nocase
    $save_2 = "msSaveOrOpenBlob" nocase
    $save_3 = "msSaveBlob" nocase
    $decode = "atob(" nocase
    $data = "data:application/" nocase
    $download = "download" nocase
  condition:
    $program and (any of ($save_*) or $decode or ($data and $download))
}

rule windows_shortcut {
  meta:
    id = "Docvet.Embedded.Shortcut"
    title = "Windows shortcut inside the document"
    reason = "A shortcut can start any command. Legitimate documents do not contain one."
    technique = "T1204.002"
    severity = "malicious"
    scope = "file"
  strings:
    $header = { 4C 00 00 00 01 14 02 00 00 00 00 00 C0 00 00 00 00 00 00 46 }
  condition:
    $header
}
