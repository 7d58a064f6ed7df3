/** Keys of the registry, as sources of patterns for text in any case. */

/** Windows or its shell runs the programs that their values name. */
export const RUN_KEYS = String.raw`(?:run|runonce|runservices|policies\\explorer\\run|winlogon|command processor|image file execution options|shell\\open\\command|userinitmprlogonscript|environment)`
/** Windows or Office loads the library or the program that their values name. */
export const LOADED_KEYS = String.raw`\\clsid\\\{[^}]{0,40}\}\\(?:inprocserver32|localserver32|treatas)|userinitmprlogonscript|office test\\special\\perf|image file execution options|\\(?:ms-settings|mscfile)\\shell\\open|appinit_dlls`
/** Settings that protect from macros and programs. */
export const SECURITY_KEYS =
  'accessvbom|vbawarnings|protectedview|disableinternetfilesinpv|disableattachementsinpv|disableunsafelocationsinpv|blockcontentexecutionfrominternet|markinternalasunsafe|disableantispyware|amsienable'
