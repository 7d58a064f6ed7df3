/** Commands, methods and types of PowerShell, in lower case. */

const list = (names: string): readonly string[] => names.split(/\s+/)

/** They run the text that they are given. */
export const RUNNING = list('iex invoke-expression')
/** They start a program or open a file. */
export const STARTING = list('start start-process saps invoke-item ii')
export const FETCHING = list('iwr irm invoke-webrequest invoke-restmethod start-bitstransfer')
/** Methods of a client for the web. */
export const FETCHING_METHODS = list('downloadstring downloadfile downloaddata')
export const CLIENTS = list('net.webclient http.httpclient webrequest]::create xmlhttp winhttprequest')
/** Changes what Defender looks at. */
export const UNPROTECTING = String.raw`(?:add|set)-mppreference\s[^\r\n]{0,200}-(?:exclusion|disable)`

/** Values of variables, whose letters are used to write names. */
export const KNOWN_VARIABLES: Readonly<Record<string, string>> = {
  pshome: 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0',
  shellid: 'Microsoft.PowerShell',
  verbosepreference: 'SilentlyContinue',
  'env:comspec': 'C:\\Windows\\system32\\cmd.exe',
  'env:public': 'C:\\Users\\Public',
}
