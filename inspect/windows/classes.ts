/** Classes of objects that scripts and macros create. */

/** By number, where their name would be noticed. */
export const CLASS_IDS: Readonly<Record<string, string>> = {
  '72c24dd5-d70a-438b-8a42-98424b88afb8': 'wscript.shell',
  'f935dc22-1cf0-11d0-adb9-00c04fd58a0b': 'wscript.shell',
  '13709620-c279-11ce-a49e-444553540000': 'shell.application',
  '9ba05972-f6a8-11cf-a442-00a0c90a8f39': 'shell.application',
  'c08afd90-f2a1-11d1-8455-00a0c91f3880': 'shell.application',
  '0d43fe01-f093-11cf-8940-00a0c9054228': 'scripting.filesystemobject',
  '88d96a0a-f192-11d4-a65f-0040963251e5': 'msxml2.xmlhttp',
  '2087c2f4-2cef-4953-a8ab-66779b670495': 'winhttp.winhttprequest.5.1',
  '49b2791a-b1ae-4c90-9b8e-e860ba07f889': 'mmc20.application',
  '0e59f1d5-1fbe-11d0-8ff2-00a0d10038bc': 'msscriptcontrol.scriptcontrol',
  '00000566-0000-0010-8000-00aa006d2ea4': 'adodb.stream',
}

/** Names in the type libraries that projects refer to. */
export const LIBRARY_CLASSES: Readonly<Record<string, string>> = {
  'shell32.shell': 'shell.application',
  shell: 'shell.application',
  'iwshruntimelibrary.wshshell': 'wscript.shell',
  wshshell: 'wscript.shell',
  'taskscheduler.taskscheduler': 'schedule.service',
  taskscheduler: 'schedule.service',
}

/** They start programs. */
export const SHELL_CLASSES = ['wscript.shell', 'shell.application']
/** Sources of patterns: they fetch from servers; `adodb.stream` saves. */
export const FETCH_CLASSES = String.raw`(?:msxml2|microsoft)\.(?:server)?xmlhttp|winhttp\.winhttprequest`
export const STREAM_CLASS = 'adodb.stream'
export const WRITE_CLASSES = [STREAM_CLASS, 'scripting.filesystemobject']
/** They take paths, commands, queries and addresses, and do not return them. */
export const TAKING_CLASSES = String.raw`wscript\.(?!shell\.environment)|scripting\.filesystemobject|shell\.application|winmgmts|wbem|getobject:|(?:excel|word|outlook|powerpoint|access|visio|msproject|mspub|publisher|infopath|onenote)\.|(?:msxml\d?|microsoft)\.(?:server)?xmlhttp|winhttp|internetexplorer|adodb\.(?:connection|command|stream)|adox|cdo\.|lotus|notes|schedule|microsoft\.update|hnetcfg|forms\.|adsystem|ad?si|sap|com\.sun`
/** Pages and libraries ask for them, and they start nothing. */
export const BROWSER_CLASSES = String.raw`msxml[2-6]?\.(?:server)?xmlhttp|microsoft\.xml(?:http|dom)|msxml[2-6]?\.(?:dom|free)|shockwaveflash\.|htmlfile$|wmplayer\.|mediaplayer\.|quicktime|agcontrol\.|acropdf\.|pdf\.pdfctrl|rmocx\.|realplayer|javawebstart|java\.`
/** They keep values by a key or a number. */
export const LIST_CLASSES = [
  'scripting.dictionary',
  'collection',
  'vba.collection',
  ...['arraylist', 'queue', 'stack', 'sortedlist', 'hashtable'].map((name) => `system.collections.${name}`),
]
/** They list files and the user, and start nothing. */
export const LISTING_CLASSES = ['scripting.filesystemobject', 'scripting.dictionary', 'wscript.network']
