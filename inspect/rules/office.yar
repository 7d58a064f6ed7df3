/* Office documents that load or start something when opened. Plain strings only: regular expressions are slow. */

rule command_in_formula {
  meta:
    id = "Docvet.Sheet.DdeCommand"
    title = "Formula that starts a program (DDE)"
    reason = "A cell tells the spreadsheet program to start a command interpreter."
    technique = "T1559.002"
    severity = "malicious"
    scope = "any"
  strings:
    $formula_01 = "=cmd|'" nocase
    $formula_02 = "=cmd.exe|'" nocase
    $formula_03 = "=powershell|'" nocase
    $formula_04 = "=mshta|'" nocase
    $formula_05 = "=rundll32|'" nocase
    $formula_06 = "=regsvr32|'" nocase
    $formula_07 = "=certutil|'" nocase
    $formula_08 = "+cmd|'" nocase
    $formula_09 = "+cmd.exe|'" nocase
    $formula_10 = "+powershell|'" nocase
    $formula_11 = "+mshta|'" nocase
    $formula_12 = "+rundll32|'" nocase
    $formula_13 = "+regsvr32|'" nocase
    $formula_14 = "+certutil|'" nocase
    $formula_15 = "-cmd|'" nocase
    $formula_16 = "-cmd.exe|'" nocase
    $formula_17 = "-powershell|'" nocase
    $formula_18 = "-mshta|'" nocase
    $formula_19 = "-rundll32|'" nocase
    $formula_20 = "-regsvr32|'" nocase
    $formula_21 = "-certutil|'" nocase
    $formula_22 = "@cmd|'" nocase
    $formula_23 = "@cmd.exe|'" nocase
    $formula_24 = "@powershell|'" nocase
    $formula_25 = "@mshta|'" nocase
    $formula_26 = "@rundll32|'" nocase
    $formula_27 = "@regsvr32|'" nocase
    $formula_28 = "@certutil|'" nocase
    $link_1 = "ddeService=\"cmd\"" nocase
    $link_2 = "ddeService=\"cmd.exe\"" nocase
    $link_3 = "ddeService=\"powershell\"" nocase
    $link_4 = "ddeService=\"mshta\"" nocase
    $link_5 = "ddeService=\"rundll32\"" nocase
    $link_6 = "ddeService=\"regsvr32\"" nocase
    $link_7 = "ddeService=\"certutil\"" nocase
    // A program that every Windows installation has, and the syntax that starts another one from it.
    $desk_1 = "MSEXCEL|'" nocase
    $desk_2 = "WINWORD|'" nocase
    $host = "ddeService=\"MSEXCEL\"" nocase
    $program_1 = "\\cmd.exe" nocase
    $program_2 = "powershell" nocase
    $program_3 = "mshta.exe" nocase
    $program_4 = "rundll32" nocase
    $program_5 = "regsvr32" nocase
    $program_6 = "certutil" nocase
    // Only in a workbook or a table: articles quote formulas. Tables in plain text have an analyser of their own.
    $sheet_1 = "office:spreadsheet"
    $sheet_2 = "office:excel"
    $sheet_3 = "<td>=" nocase
    $sheet_4 = "<td>+" nocase
    $sheet_5 = "<td>-" nocase
    $sheet_6 = "<td>@" nocase
  condition:
    any of ($link_*) or ($host and any of ($program_*)) or
    (any of ($sheet_*) and (any of ($formula_*) or (any of ($desk_*) and any of ($program_*))))
}
