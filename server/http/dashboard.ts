/** Serves the dashboard at its own URLs. At others, browsers get its page with 404, and programs get problem details. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { PATHS } from '#web/src/paths.ts'
import { chooseVariant, type DashboardFile, readDashboard } from './dashboard-files.ts'
import { isKnown } from './etag.ts'
import { PAGE_POLICY } from './headers.ts'
import type { Server } from './server.ts'

/** The name of an asset contains a hash of its content. */
const FOREVER = 'public, max-age=31536000, immutable'
/** Cached but revalidated, so that an update never mixes old and new files. */
const REVALIDATED = 'no-cache'

const ROOT_FILES = ['favicon.svg', 'theme.js']

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Docvet</title></head>
<body>
<h1>The dashboard has not been built</h1>
<p>Run <code>npm run build</code> in the folder of this service and restart it. <code>npm start</code> does both.</p>
<p>The API works without the dashboard: see the <a href="/docs">API reference</a>.</p>
</body>
</html>
`

interface DashboardOptions {
  folder: string
  /** Public facts about this installation. */
  settings: object
  log: Log
}

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

function sendFile(file: DashboardFile, caching: string): SendPage {
  return (request, reply) => {
    const { encoding, body, etag } = chooseVariant(file, request.headers['accept-encoding'])
    reply.headers({ 'cache-control': caching, 'content-security-policy': PAGE_POLICY, etag, vary: 'accept-encoding' })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type(file.type).send(body)
  }
}

const sendNotBuilt: SendPage = (_request, reply) => reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT)

/** Returns what sends the page, for URLs that other modules serve with it, and the URLs of the fonts. */
export function dashboardRoutes(
  server: Server,
  { folder, settings, log }: DashboardOptions,
): { sendPage: SendPage; fonts: string[] } {
  // Without a rate limit: a page loads a dozen files, all from memory.
  const open = { config: { credential: 'none', unlimited: true } } as const
  const files = readDashboard(folder)
  if (files === null) log.warn({ folder }, 'Dashboard is not built; run npm run build')

  function sendOf(name: string, caching: string): SendPage {
    const file = files?.get(name)
    return file === undefined ? sendNotBuilt : sendFile(file, caching)
  }

  const sendPage = sendOf('index.html', REVALIDATED)
  for (const path of PATHS) server.get(path, open, sendPage)
  server.setNotFoundHandler((request, reply) => sendPage(request, reply.code(404)))
  for (const name of ROOT_FILES) server.get(`/${name}`, open, sendOf(name, REVALIDATED))

  server.get('/dashboard/settings', open, (_request, reply) =>
    reply.header('cache-control', REVALIDATED).type('application/json; charset=utf-8').send(settings),
  )

  server.get(
    '/assets/:file',
    { ...open, schema: { params: Type.Object({ file: Type.String() }) } },
    (request, reply) => {
      const file = files?.get(`assets/${request.params.file}`)
      if (file === undefined) throw new AppError('not_found', 'No resource exists at this URL.')
      return sendFile(file, FOREVER)(request, reply)
    },
  )
  const fonts = [...(files?.keys() ?? [])].filter((name) => name.endsWith('.woff2')).map((name) => `/${name}`)
  return { sendPage, fonts }
}
