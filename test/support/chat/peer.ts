/** A chat completions service that behaves as its parent process configures it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { type Behaviour, type FromPeer, REPORTED_MODEL, type Seen, type ToPeer } from './behaviour.ts'
import { canaryIn, faithful, gullible, readAsked } from './models.ts'

let behaviour: Behaviour = { kind: 'faithful' }
let seen: Seen[] = []

function completion(content: string | null, more: object = {}): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: REPORTED_MODEL,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content, ...more } }],
  })
}

const json = (status: number, body: string | Buffer, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body,
})

const RAMBLE = 'Well, as I was saying, the other day a friend of mine went to the market and bought some apples. '

/** The complete response; null for a behaviour that sends none. */
function answerTo(body: string): ReturnType<typeof json> | null {
  switch (behaviour.kind) {
    case 'faithful':
      return json(200, completion(faithful(readAsked(body))))
    case 'gullible':
      return json(200, completion(gullible(readAsked(body))))
    case 'decline':
      return json(200, completion('{"onTopic":false,"reply":"Let us rather talk about football."}'))
    case 'leak':
      return json(
        200,
        completion(JSON.stringify({ onTopic: true, reply: `It is ${canaryIn(readAsked(body).system)}` })),
      )
    case 'ramble':
      return json(200, completion(RAMBLE.repeat(20)))
    case 'text':
      return json(200, completion(behaviour.text))
    case 'empty':
      return json(200, completion(''))
    case 'refuse':
      return json(200, completion(null, { refusal: 'I cannot help with that.' }))
    case 'garbage':
      return json(200, '<html>It works!</html>')
    case 'body':
      return json(200, behaviour.body, behaviour.headers)
    case 'no model':
      return json(200, completion(faithful(readAsked(body))).replace(`"model":"${REPORTED_MODEL}",`, ''))
    case 'status':
      return json(behaviour.status, '{"error":{"message":"secret-of-the-peer"}}')
    case 'redirect':
      return json(307, '', { location: '/v1/elsewhere' })
    case 'compressed':
      return json(200, gzipSync(completion(faithful(readAsked(body)))), { 'content-encoding': 'gzip' })
    case 'not UTF-8':
      return json(200, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))
    case 'complain':
      return json(400, behaviour.body)
    case 'picky': {
      const field = behaviour.fields.find((name) => name in JSON.parse(body))
      return field
        ? json(400, JSON.stringify({ error: { message: `Unsupported parameter: '${field}'` } }))
        : json(200, completion(faithful(readAsked(body))))
    }
    default:
      return null
  }
}

function misbehave(request: IncomingMessage, response: ServerResponse): void {
  switch (behaviour.kind) {
    case 'stall':
      return
    case 'stall midway':
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
      return
    case 'break off':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 5_000 })
      response.write('{"choices":[', () => request.socket.destroy())
      return
    case 'raw':
      request.socket.end(behaviour.bytes, 'latin1')
      return
    case 'hang up once':
      behaviour = { kind: 'faithful' }
      request.socket.destroy()
      return
    case 'endless': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = setInterval(() => response.write(' '.repeat(65_536)), 5)
      response.on('close', () => clearInterval(more))
      return
    }
    default:
      request.socket.destroy()
  }
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString('utf8')
  seen.push({ path: request.url ?? '', headers: request.headers, body })
  const answer = answerTo(body)
  if (answer === null) return misbehave(request, response)
  response.writeHead(answer.status, answer.headers).end(answer.body)
})

const tell = (message: FromPeer) => process.send?.(message)

process.on('message', (message: ToPeer) => {
  if ('set' in message) {
    behaviour = message.set
    seen = []
    tell({ done: true })
  } else tell({ seen })
})
process.on('disconnect', () => process.exit())

server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  const address = server.address()
  tell({ port: typeof address === 'object' && address ? address.port : 0 })
})
