/* Scripts for the Windows script host, as files of their own or in pages that run as programs. */

rule script_page_runs_program {
  meta:
    id = "Docvet.Script.HostedProgram"
    title = "Page or script file that starts programs"
    reason = "The file targets Windows Script Host and starts other programs, which a page in a browser cannot do."
    technique = "T1218.005"
    severity = "malicious"
    scope = "any"
  strings:
    $frame_1 = "<hta:application" nocase
    $frame_2 = "<job>" nocase
    $frame_3 = "<job id" nocase
    $frame_4 = "<scriptlet" nocase
    $frame_05 = "<script language=\"vbscript" nocase
    $frame_06 = "<script language='vbscript" nocase
    $frame_07 = "<script language=vbscript" nocase
    $frame_08 = "<script type=\"text/vbscript" nocase
    $frame_09 = "<script type='text/vbscript" nocase
    $frame_10 = "<script language=\"jscript" nocase
    $frame_11 = "<script language='jscript" nocase
    $frame_12 = "<script language=jscript" nocase
    $frame_13 = "<script type=\"text/jscript" nocase
    $frame_14 = "<script type='text/jscript" nocase
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
    reason = "The script creates the Windows shell object, which starts programs."
    technique = "T1059.007"
    severity = "malicious"
    scope = "any"
  strings:
    $new_1 = "new ActiveXObject(\"WScript.Shell" nocase
    $new_2 = "new ActiveXObject( \"WScript.Shell" nocase
    $new_3 = "new ActiveXObject('WScript.Shell" nocase
    $new_4 = "new ActiveXObject( 'WScript.Shell" nocase
    $new_5 = "new ActiveXObject(\"Shell.Application" nocase
    $new_6 = "new ActiveXObject( \"Shell.Application" nocase
    $new_7 = "new ActiveXObject('Shell.Application" nocase
    $new_8 = "new ActiveXObject( 'Shell.Application" nocase
  condition:
    any of them
}

rule script_fetches_and_runs {
  meta:
    id = "Docvet.Script.Downloader"
    title = "Script that downloads and starts a file"
    reason = "The script does two of these: download from the web, write a file, start a program."
    technique = "T1105"
    severity = "suspicious"
    scope = "file"
  strings:
    $shell_1 = "CreateObject(\"WScript.Shell\"" nocase
    $shell_2 = "CreateObject(\"Shell.Application\"" nocase
    $fetch_1 = "CreateObject(\"MSXML2.XMLHTTP" nocase
    $fetch_2 = "CreateObject(\"MSXML2.ServerXMLHTTP" nocase
    $fetch_3 = "CreateObject(\"Microsoft.XMLHTTP" nocase
    $fetch_4 = "CreateObject(\"WinHttp.WinHttpRequest" nocase
    $write = "CreateObject(\"ADODB.Stream\"" nocase
  condition:
    (any of ($shell_*) and any of ($fetch_*)) or (any of ($fetch_*) and $write) or (any of ($shell_*) and $write)
}
