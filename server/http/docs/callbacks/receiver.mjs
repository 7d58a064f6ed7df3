import express from 'express'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.DOCVET_WEBHOOK_SECRET)
const app = express()
app.post('/docvet', express.raw({ type: 'application/json' }), (request, response) => {
  let event
  try {
    event = webhook.verify(request.body.toString(), request.headers)
  } catch {
    return response.sendStatus(400)
  }
  // At least once: the same webhook-id may come again.
  console.log(request.headers['webhook-id'], event.type, event.data.scanId, event.data.status)
  return response.sendStatus(204)
})
app.listen(3000)
