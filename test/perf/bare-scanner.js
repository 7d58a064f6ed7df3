/** Baseline: the least that forwards an upload to clamd. No authentication, quota or record, and one engine. */
import { Readable } from 'node:stream'
import NodeClam from 'clamscan'
import express from 'express'
import fileUpload from 'express-fileupload'

const [port, clamdPort] = process.argv.slice(2).map(Number)
const clamd = await new NodeClam().init({
  clamdscan: { host: '127.0.0.1', port: clamdPort, localFallback: false, bypassTest: true },
})
const app = express()
app.use(fileUpload())
app.post('/scan', async (request, response) => {
  const { isInfected, viruses } = await clamd.scanStream(Readable.from([request.files.file.data]))
  response.json({ status: isInfected ? 'infected' : 'clean', viruses })
})
app.listen(port, '127.0.0.1', () => process.send?.('ready'))
