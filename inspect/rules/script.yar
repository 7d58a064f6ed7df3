/* Scripts for the Windows script host, as files of their own or in pages that run as programs. */

rule script_page_runs_program {
  meta:
    id = "Docvet.Script.HostedProgram"
    title = "Page or script file that starts programs"
    reason = "The file is made for the script host of Windows and starts other programs. A page in a browser cannot do that."
    technique = "T1218.005"
    severity = "malicious"
  strings:
    $frame_1 = "<hta:application" nocase
    $frame_2 = /<job[\s>]/ nocase
    $frame_3 = "<scriptlet" nocase
    $frame_4 = /<script[^>]{0,60}(vbscript|jscript)/ nocase
    $shell_1 = "WScript.Shell" nocase
    $shell_2 = "Shell.Application" nocase
    $shell_3 = "new:72C24DD5-D70A-438B-8A42-98424B88AFB8" nocase
    $make_1 = "CreateObject" nocase
    $make_2 = "ActiveXObject" nocase
    $make_3 = "GetObject" nocase
  condition:
    any of ($frame_*) and any of ($shell_*) and any of ($make_*)
}

rule javascript_runs_program {
  meta:
    id = "Docvet.Script.ShellObject"
    title = "JavaScript that starts programs"
    reason = "The script creates the shell object of Windows, by which programs are started."
    technique = "T1059.007"
    severity = "malicious"
  strings:
    $new = /new\s{1,4}ActiveXObject\s{0,4}\(\s{0,4}["'](WScript\.Shell|Shell\.Application)["']/ nocase
  condition:
    $new
}

rule script_fetches_and_runs {
  meta:
    id = "Docvet.Script.Downloader"
    title = "Script that fetches a file and starts it"
    reason = "The script downloads from the web, writes a file, and starts programs."
    technique = "T1105"
    severity = "suspicious"
  strings:
    $shell = /CreateObject\s{0,4}\(\s{0,4}"(WScript\.Shell|Shell\.Application)"/ nocase
    $fetch = /CreateObject\s{0,4}\(\s{0,4}"(MSXML2\.(Server)?XMLHTTP|Microsoft\.XMLHTTP|WinHttp\.WinHttpRequest)/ nocase
    $write = /CreateObject\s{0,4}\(\s{0,4}"ADODB\.Stream"/ nocase
  condition:
    2 of them
}
