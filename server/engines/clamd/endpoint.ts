/** The endpoint of a clamd: `unix:/path` or `tcp://host:port`. */

export interface ClamdEndpoint {
  /** For the log. */
  url: string
  /** For `net.connect`. */
  target: { path: string } | { host: string; port: number }
}

/** Linux limits the path of a socket to 108 bytes with its terminating zero, and silently truncates longer ones. */
const SOCKET_PATH_BYTES_MAX = 107

/** Throws an error whose message is fit for the operator. */
export function parseClamdUrl(text: string): ClamdEndpoint {
  if (text.startsWith('unix:')) return unixEndpoint(text)
  if (text.startsWith('tcp:')) return tcpEndpoint(text)
  throw new Error(`"${text}" is not a clamd URL: use unix:/path/of/socket or tcp://host:port`)
}

function unixEndpoint(text: string): ClamdEndpoint {
  const path = text.slice('unix:'.length).replace(/^\/\/(?=\/)/, '')
  if (!path.startsWith('/') || path.startsWith('//') || path.includes('\0')) {
    throw new Error(`"${text}" must contain the full path of the socket, as in unix:/run/clamav/clamd.ctl`)
  }
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) {
    throw new Error(`"${text}": the path of a socket is limited to ${SOCKET_PATH_BYTES_MAX} bytes`)
  }
  return { url: `unix:${path}`, target: { path } }
}

function tcpEndpoint(text: string): ClamdEndpoint {
  const match = /^tcp:\/\/(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})\/?$/.exec(text)
  const [, host = '', digits = ''] = match ?? []
  if (host === '') throw new Error(`"${text}" must contain a host and a port, as in tcp://127.0.0.1:3310`)
  const port = Number(digits)
  if (port < 1 || port > 65_535) throw new Error(`"${text}": the port must be between 1 and 65535`)
  return { url: `tcp://${host}:${port}`, target: { host: host.replace(/^\[|\]$/g, ''), port } }
}
