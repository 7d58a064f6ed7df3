/** Schemes of URLs for which Windows, Office or other programs register. */

const list = (names: string): readonly string[] => names.split(/\s+/)

/** Start a program with what the link chooses. */
export const STARTING = list(
  `ms-msdt .cpl applescript hcp itms-services jnlp jnlps script scriptlet soap wsdl vnd.libreoffice.command
  vnd.sun.star.expand x-usc`,
)
export const SEARCH = list('search search-ms')
/** Open a document of the link's choice in an Office program. */
export const OFFICE = list(
  'ms-word ms-excel ms-powerpoint ms-access ms-infopath ms-project ms-publisher ms-spd ms-visio onenote',
)
/** Compiled help. */
export const HELP = list('its mk ms-its')
/** Open another program, which asks before it does what the link says. */
export const ASKING = list(
  `.uno anydesk cursor git-client github-windows grvopen help intent jar ldap microsoft-edge ms-contact-support ms-cxh
  ms-cxh-full ms-edge ms-officecmd ms-photos ms-quick-assist ms-rd ms-screenclip ms-screensketch ms-windows-search new odopen
  queue rdp res screenconnect service shell slot sourcetree ssh steam stssync teamviewer8 teamviewerapi telnet tn3270 tvnc1 vnc
  vscode vscode-insiders winmgmts x-apple.systempreferences x-man-page`,
)
/** Pages and mail. */
export const WEB = list('http https ftp ftps ws wss')
export const SHARES = list('smb cifs afp nfs dav davs')
export const SCRIPTS = list('javascript vbscript livescript jscript mocha')
export const MAIL = list('mailto tel sms callto sip cid mid')
