/** Folders of Windows, as sources of patterns for paths in any case. */

/** Variables of the environment that are the same on nearly every computer: obfuscators cut words from them. */
export const VARIABLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    comspec: 'C:\\Windows\\system32\\cmd.exe',
    systemroot: 'C:\\Windows',
    windir: 'C:\\Windows',
    systemdrive: 'C:',
    public: 'C:\\Users\\Public',
    programfiles: 'C:\\Program Files',
    commonprogramfiles: 'C:\\Program Files\\Common Files',
    programdata: 'C:\\ProgramData',
    allusersprofile: 'C:\\ProgramData',
    os: 'Windows_NT',
    pathext: '.COM;.EXE;.BAT;.CMD;.VBS;.VBE;.JS;.JSE;.WSF;.WSH;.MSC',
    psmodulepath:
      'C:\\Program Files\\WindowsPowerShell\\Modules;C:\\Windows\\system32\\WindowsPowerShell\\v1.0\\Modules',
  }),
)

/** Variables that name a folder which every program can write to. */
export const WRITABLE_VARIABLES = ['temp', 'tmp', 'appdata', 'localappdata', 'public', 'programdata', 'allusersprofile']
/** As a command line writes them. */
export const WRITABLE_VARIABLE = `%(?:${WRITABLE_VARIABLES.join('|')})%`

/** `c:\windows`, without the backslash after it. */
export const SYSTEM = String.raw`(?:%windir%|%systemroot%|[a-z]:\\windows)`
/** Folders in it where its programs are, with the backslash after them. */
export const SYSTEM_FOLDERS = String.raw`(?:(?:system32|syswow64|sysnative)\\(?:windowspowershell\\v1\.0\\)?)`
/** `c:\program files\`: only administrators write there. */
export const INSTALLED = String.raw`(?:[a-z]:\\(?:program files(?: \(x86\))?|progra~[12])|%(?:programfiles(?:\(x86\))?|programw6432)%)\\`

const LOCAL = String.raw`(?:%localappdata%|(?:%userprofile%|[a-z]:\\users\\[^\\]+)\\appdata\\local)`
/** Where installers without rights of an administrator put programs. */
export const USER_INSTALLED = String.raw`(?:${LOCAL}\\(?:programs\\[^\\]+\\|microsoft\\(?:teams|onedrive|edge\\application)\\|google\\chrome\\application\\|mozilla firefox\\|slack\\)|(?:%(?:programdata|allusersprofile|userprofile)%|[a-z]:\\(?:programdata|users\\[^\\]+)|${LOCAL})\\(?:(?:ana|mini)conda|miniforge|mambaforge)\d?\\)`

/** Data of the programs of one user, who has a name of his own. */
export const USER_APPLICATION = String.raw`[a-z]:\\users\\(?!public\\|default\\|all users\\)[^\\"]{1,60}\\appdata\\(?:local|roaming)\\(?!temp\\)`

/** Folders of a disk where anyone may write, with the folders of all users, but without a backslash. */
export const WRITABLE = String.raw`(?:users|programdata|windows\\temp|temp|tmp|perflogs)`
/** A disk's folders where nobody looks, also of older versions. */
export const UNSEEN = String.raw`(?:\$[^\\]*|recycler|recovery|intel|msocache|documents and settings|system volume information|config\.msi)`
/** Anywhere in a path or a command: folders that programs share, not those of one user. */
export const SHARED = String.raw`(?:${WRITABLE_VARIABLE}|\\(?:temp|tmp|appdata|programdata|users\\public|perflogs)\\)`
/** The same, with the folders of one user. */
export const LOOSE = String.raw`(?:${WRITABLE_VARIABLE}|%userprofile%|\\(?:users|programdata|windows\\temp)\\)`

/** Of one user, without those that programs save to. */
export const PERSONAL = String.raw`(?:%userprofile%|[a-z]:\\users\\(?!public\\)[^\\]+)\\(?!appdata\\|downloads\\)`
/** Whatever lies in them is started with Windows or opened with Office. */
export const START_UP = String.raw`\\startup\b|%(?:alluser)?startup%|\\xlstart\b|\\word\\startup|normal\.dotm?\b`
export const OFFICE_START_UP = '%appdata%\\microsoft\\excel\\xlstart'
/** By the numbers that scripts give them. */
export const SPECIAL: readonly string[] = ['%windir%', '%windir%\\system32', '%temp%']
/** Files without which Windows does not start. */
export const BOOT_FILES = String.raw`c:\\(?:ntldr|boot\.ini|autoexec\.bat|io\.sys|msdos\.sys)`
