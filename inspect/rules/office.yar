/* Office documents that fetch or start something when they are opened. */

rule word_dde_field {
  meta:
    id = "Docvet.Ooxml.DdeField"
    title = "Field that starts a program (DDE)"
    reason = "A field of the document asks Word to start another program as soon as it is opened."
    technique = "T1559.002"
    severity = "malicious"
  strings:
    $text = /instrText[^>]{0,80}>\s{0,20}DDE(AUTO)?\s/ nocase
    $simple = /fldSimple[^>]{0,80}instr="\s{0,20}DDE(AUTO)?\s/ nocase
  condition:
    any of them
}

rule rtf_dde_field {
  meta:
    id = "Docvet.Rtf.DdeField"
    title = "Field that starts a program (DDE)"
    reason = "A field of the document asks Word to start another program as soon as it is opened."
    technique = "T1559.002"
    severity = "malicious"
  strings:
    $field = /\\fldinst[^}]{0,100}DDE(AUTO)?\s/ nocase
  condition:
    $field
}

rule command_in_formula {
  meta:
    id = "Docvet.Sheet.DdeCommand"
    title = "Formula that starts a program (DDE)"
    reason = "A cell asks the spreadsheet program to start a command interpreter."
    technique = "T1559.002"
    severity = "malicious"
  strings:
    $formula = /[=+@-]\s{0,4}(cmd|powershell|mshta|rundll32|regsvr32|certutil)(\.exe)?\s{0,4}\|\s{0,4}['"]/ nocase
    $link = /ddeService="(cmd|powershell|mshta|rundll32|regsvr32|certutil)(\.exe)?"/ nocase
  condition:
    any of them
}

rule remote_template_by_address {
  meta:
    id = "Docvet.Ooxml.RemoteTemplate"
    title = "Template loaded from a bare address or a file server"
    reason = "Opening the document fetches a template, with its macros, from an address that real templates do not have."
    technique = "T1221"
    severity = "malicious"
  strings:
    $type_first = /attachedTemplate"[^>]{0,200}Target="(https?:\/\/[0-9]{1,3}\.[0-9]{1,3}\.|\\\\|file:\/{2,5}\\\\|file:\/{4,5}|[^"]{0,200}(@SSL|DavWWWRoot))/ nocase
    $target_first = /Target="(https?:\/\/[0-9]{1,3}\.[0-9]{1,3}\.|\\\\|file:\/{2,5}\\\\|file:\/{4,5}|[^"]{0,200}(@SSL|DavWWWRoot))[^>]{0,300}attachedTemplate"/ nocase
  condition:
    any of them
}

rule remote_template_by_name {
  meta:
    id = "Docvet.Ooxml.WebTemplate"
    title = "Template loaded from the web"
    reason = "Opening the document fetches a template, with its macros, from a web server."
    technique = "T1221"
    severity = "suspicious"
  strings:
    $type_first = /attachedTemplate"[^>]{0,200}Target="https?:/ nocase
    $target_first = /Target="https?:[^>]{0,400}attachedTemplate"/ nocase
  condition:
    any of them
}

rule remote_object {
  meta:
    id = "Docvet.Ooxml.RemoteObject"
    title = "Object loaded from the web"
    reason = "Opening the document fetches an object or a script from a web server and runs it."
    technique = "T1221"
    severity = "malicious"
  strings:
    $type_first = /relationships\/oleObject"[^>]{0,200}Target="(mhtml:|https?:|x-usc:|script:)/ nocase
    $target_first = /Target="(mhtml:|https?:|x-usc:|script:)[^>]{0,400}relationships\/oleObject"/ nocase
  condition:
    any of them
}

rule troubleshooter_link {
  meta:
    id = "Docvet.Link.Troubleshooter"
    title = "Link that abuses the Windows troubleshooter"
    reason = "The document opens the troubleshooter of Windows (ms-msdt), through which commands can be run."
    technique = "T1203"
    severity = "malicious"
  strings:
    $target = /(Target|href|location)\s{0,4}=\s{0,4}["']ms-msdt:/ nocase
  condition:
    $target
}

rule ribbon_loads_remote_code {
  meta:
    id = "Docvet.Ooxml.RemoteRibbon"
    title = "Ribbon that loads code from elsewhere"
    reason = "The ribbon of the document calls a macro of another file as soon as it is opened."
    technique = "T1137"
    severity = "malicious"
  strings:
    $load = /<customUI[^>]{0,300}onLoad="[^"]{0,200}(https?:|\\\\|file:)/ nocase
  condition:
    $load
}

rule slide_starts_program {
  meta:
    id = "Docvet.Ooxml.ProgramAction"
    title = "Slide that starts a program"
    reason = "A click or a movement of the mouse on the slide starts a program."
    technique = "T1204.002"
    severity = "malicious"
  strings:
    $action = "\"ppaction://program" nocase
  condition:
    $action
}

rule rtf_equation_editor {
  meta:
    id = "Docvet.Rtf.EquationEditor"
    title = "Equation Editor object in an RTF document"
    reason = "The object is opened by an old component with known holes (CVE-2017-11882). Attacks use it; authors do not."
    technique = "T1203"
    severity = "malicious"
  strings:
    $class = /\\objclass\s{0,4}Equation\.[23]/ nocase
    $object = "\\objdata"
    $hex = "4571756174696f6e2e33" nocase
  condition:
    $class or ($object and $hex)
}

rule xml_entity_bomb {
  meta:
    id = "Docvet.Bomb.Entities"
    title = "XML that multiplies itself"
    reason = "An entity of the XML consists of other entities many times over, to exhaust the memory of its reader."
    technique = "T1499.004"
    severity = "malicious"
  strings:
    $entity = /<!ENTITY\s{1,10}[\w.-]{1,40}\s{1,10}["'](&[\w.-]{1,40};\s{0,4}){5}/
  condition:
    $entity
}
