/** Connections through an HTTP proxy: tunnels to addresses that were checked, so that the proxy resolves no name but the operator's. */
import { request } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { connect } from 'node:tls'
import type { Target } from './outbound-rules.ts'

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

function openTunnel(proxy: string, authority: string, signal: AbortSignal): Promise<Socket> {
  const { hostname: host, port } = new URL(proxy)
  return new Promise((resolve, reject) => {
    const options = { host: host.replace(/^\[(.*)\]$/, '$1'), port: port || 80, path: authority, agent: false, signal }
    const asked = request({ ...options, method: 'CONNECT', headers: { host: authority } })
    asked.on('connect', ({ statusCode }, socket: Socket, head) => {
      // A peer that speaks first would be something else than the server of an HTTP request.
      if (statusCode === 200 && head.length === 0) return resolve(socket)
      socket.destroy()
      reject(new Error('The proxy refused the connection'))
    })
    asked.on('response', (response) => {
      response.destroy()
      reject(new Error('The proxy refused the connection'))
    })
    asked.on('error', reject)
    asked.end()
  })
}

interface Way {
  signal: AbortSignal
  /** The operator's own targets are reached through the proxy as well. */
  isForOwn: boolean
}

/** Null if the target is reached without the proxy. */
export async function connectThrough(proxy: string, target: Target, way: Way): Promise<Socket | null> {
  const { url, resolve, isOwn } = target
  const host = hostOf(url)
  const isSecure = url.protocol === 'https:'
  const address = resolve === null ? host : ((await resolve())[0]?.address ?? '')
  if (!way.isForOwn && isOwn(address)) return null
  const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${url.port || (isSecure ? 443 : 80)}`
  const socket = await openTunnel(proxy, authority, way.signal)
  if (!isSecure) return socket
  return connect({ socket, ...(isIP(host) === 0 ? { servername: host } : { host }), ALPNProtocols: ['http/1.1'] })
}
