/** Names of the classes that scripts create objects of. */

/** Classes that are addressed by number where their name would be noticed. */
const CLASSES: Readonly<Record<string, string>> = {
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
const LIBRARY_CLASSES: Readonly<Record<string, string>> = {
  'shell32.shell': 'shell.application',
  shell: 'shell.application',
  'iwshruntimelibrary.wshshell': 'wscript.shell',
  wshshell: 'wscript.shell',
  'taskscheduler.taskscheduler': 'schedule.service',
  taskscheduler: 'schedule.service',
}

const NUMBERED = /^(?:new:|clsid:)?\{?([0-9a-f-]{36})\}?$/i

/** The name of a class that may be given by its number, such as `new:{…}`. */
export function className(text: string): string {
  const name = text.trim()
  const clsid = NUMBERED.exec(name)?.[1]?.toLowerCase()
  return (clsid ? CLASSES[clsid] : LIBRARY_CLASSES[name.toLowerCase()]) ?? name
}
