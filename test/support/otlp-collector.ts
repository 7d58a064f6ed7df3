/** Receives spans as an OpenTelemetry collector does (OTLP over HTTP with JSON). */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; doubleValue?: number } }[]
  status?: { code: number }
}

interface Message {
  resourceSpans: { resource: { attributes: ReceivedSpan['attributes'] }; scopeSpans: { spans: ReceivedSpan[] }[] }[]
}

/** `answer` replies to each request; by default 200. */
export async function startCollector(answer = (response: ServerResponse): void => void response.end('{}')) {
  const messages: Message[] = []
  const requests: { path: string | undefined; headers: Record<string, unknown> }[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const text of request.setEncoding('utf8')) body += text
    requests.push({ path: request.url, headers: request.headers })
    messages.push(JSON.parse(body))
    answer(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    requests,
    spans: (): ReceivedSpan[] =>
      messages.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
