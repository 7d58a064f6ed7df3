/** Programs that take uploads through the middleware of the client, as their authors would write them. Prints their URLs. */
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import express from 'express'
import fileUpload from 'express-fileupload'
import fastify from 'fastify'
import { Hono } from 'hono'
import multer from 'multer'
import { requireClean as forExpress } from '#client/express.ts'
import { requireClean as forFastify } from '#client/fastify.ts'
import { Docvet } from '#client/index.ts'
import { requireClean as forWeb } from '#client/web.ts'

const [uploads, gone] = process.argv.slice(2)
const clients = { up: new Docvet(), down: new Docvet({ url: gone, retries: 0 }) }
const said = (verdicts) => ({ stored: verdicts.map(({ fileName, status }) => [fileName, status]) })

const app = express()
const stored = (request, response) => response.json(said(request.docvet))
const disk = multer({ dest: uploads })
const memory = multer({ storage: multer.memoryStorage() })
for (const [name, docvet] of Object.entries(clients)) {
  const gate = forExpress(docvet)
  app.post(`/${name}/multer-memory`, memory.single('file'), gate, stored)
  app.post(`/${name}/multer-disk`, disk.single('file'), gate, stored)
  app.post(`/${name}/multer-array`, disk.array('file'), gate, stored)
  app.post(`/${name}/multer-fields`, disk.fields([{ name: 'file' }]), gate, stored)
  app.post(`/${name}/fileupload`, fileUpload(), gate, stored)
  app.post(`/${name}/fileupload-disk`, fileUpload({ useTempFiles: true, tempFileDir: uploads }), gate, stored)
}
app.post('/down/allow', memory.single('file'), forExpress(clients.down, { onFailure: 'allow' }), stored)
/** As storages that send files elsewhere leave them. */
const elsewhere = multer({
  storage: { _handleFile: (_, file, done) => file.stream.resume().on('end', () => done(null, {})) },
})
app.post('/up/elsewhere', elsewhere.single('file'), forExpress(clients.up), stored)

app.post('/up/allow', memory.single('file'), forExpress(clients.up, { onFailure: 'allow' }), stored)
const either = [express.json(), express.urlencoded(), express.raw({ type: 'application/pdf' }), memory.single('file')]
app.use('/up/bodies', ...either, forExpress(clients.up), stored)
app.use('/up/bodies-allowed', ...either, forExpress(clients.up, { otherBodies: 'allow' }), stored)
app.post('/up/raw', express.raw({ type: '*/*' }), forExpress(clients.up), stored)
app.post('/up/early', forExpress(clients.up), memory.single('file'), stored)
app.post('/up/nested', fileUpload({ parseNested: true }), forExpress(clients.up), stored)

const server = fastify()
await server.register(multipart)
for (const [name, docvet] of Object.entries(clients))
  server.post(`/${name}/fastify`, { preHandler: forFastify(docvet) }, (request) => said(request.docvet))

// As the page of Fastify has both: bodies as bytes, and bodies that the handler reads.
server.addContentTypeParser('application/pdf', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
server.addContentTypeParser('*', (_request, _payload, done) => done(null))
const allowing = { preHandler: forFastify(clients.up, { otherBodies: 'allow' }) }
server.all('/up/bodies', { preHandler: forFastify(clients.up) }, (request) => said(request.docvet))
server.all('/up/bodies-allowed', allowing, (request) => said(request.docvet))

const limits = { multipartOptions: { limits: { fileSize: 20 } } }
const limited = async (request) => await request.saveRequestFiles(limits.multipartOptions)
server.post('/up/limited', { preHandler: [limited, forFastify(clients.up)] }, (request) => said(request.docvet))

const keyed = fastify()
await keyed.register(multipart, { attachFieldsToBody: 'keyValues' })
keyed.post('/up/fastify', { preHandler: forFastify(clients.up) }, (request) => said(request.docvet))
/** As the page of the plugin decodes files. */
const decoded = fastify()
async function onFile(part) {
  part.value = (await part.toBuffer()).toString()
}
await decoded.register(multipart, { attachFieldsToBody: 'keyValues', onFile })
decoded.post('/up/fastify', { preHandler: forFastify(clients.up) }, (request) => said(request.docvet))
const attached = fastify()
await attached.register(multipart, { attachFieldsToBody: true })
attached.post('/up/fastify', { preHandler: forFastify(clients.up) }, (request) => said(request.docvet))

const hono = new Hono()
for (const [name, docvet] of Object.entries(clients))
  hono.post(`/${name}/hono`, async (context) => {
    const { response, verdicts } = await forWeb(docvet, context.req.raw)
    return response ?? context.json(said(verdicts))
  })

async function web(request) {
  const [, name, framework] = new URL(request.url).pathname.split('/')
  if (framework === 'hono') return await hono.fetch(request)
  const { response, verdicts } = await forWeb(clients[name], request)
  return response ?? Response.json(said(verdicts))
}
const bridge = createServer(async (incoming, outgoing) => {
  const { method, headers, url } = incoming
  const body = Readable.toWeb(incoming)
  const response = await web(new Request(`http://localhost${url}`, { method, headers, body, duplex: 'half' }))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
})

const urlOf = (listening) => `http://127.0.0.1:${listening.address().port}`
const one = app.listen(0, '127.0.0.1', () => {
  bridge.listen(0, '127.0.0.1', async () => {
    const servers = Object.entries({ fastify: server, keyed, decoded, attached })
    for (const [, each] of servers) await each.listen({ port: 0, host: '127.0.0.1' })
    const urls = Object.fromEntries(servers.map(([name, each]) => [name, urlOf(each.server)]))
    console.log(JSON.stringify({ express: urlOf(one), web: urlOf(bridge), ...urls }))
  })
})
