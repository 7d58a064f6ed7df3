/** The buttons of the sandbox page. Content is inserted as text, never as HTML. */

const ACTIONS = {
  PendingFulfillmentStart: ['cancel'],
  Subscribed: ['suspend', 'change-plan', 'renew', 'cancel'],
  Suspended: ['reinstate', 'cancel'],
  Unsubscribed: [],
}

const byId = (id) => document.getElementById(id)

function element(name, text, onClick) {
  const made = document.createElement(name)
  made.textContent = text
  if (onClick) {
    made.type = 'button'
    made.addEventListener('click', onClick)
  }
  return made
}

function say(text) {
  byId('message').textContent = text
}

async function ask(path, body) {
  const options = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(path, options)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.detail)
  return answer
}

async function attempt(work) {
  try {
    await work()
  } catch (error) {
    say(error.message)
  }
  await show()
}

function buy({ offerId, planId }) {
  return attempt(async () => {
    const { landingUrl } = await ask('/sandbox/purchases', { offerId, planId })
    window.location.assign(landingUrl)
  })
}

function act(purchase, action, plans) {
  return attempt(async () => {
    const names = plans.map((plan) => plan.planId).join(', ')
    const planId = action === 'change-plan' ? window.prompt(`New plan: ${names}`) : undefined
    if (planId === null) return
    const done = await ask(`/sandbox/purchases/${purchase.id}/${action}`, planId ? { planId } : {})
    say(`${done.action}: ${done.status}. Webhook status: ${done.webhookStatus}.`)
  })
}

async function show() {
  const { plans, purchases } = await ask('/sandbox/purchases')
  const planItems = plans.map((plan) => {
    const item = element('li', `${plan.offerId} / ${plan.planId} `)
    item.append(element('button', 'Buy', () => buy(plan)))
    return item
  })
  byId('plans').replaceChildren(...planItems)
  const purchaseItems = purchases.map((purchase) => {
    const item = element('li', `${purchase.id}: ${purchase.planId}, ${purchase.saasSubscriptionStatus} `)
    for (const action of ACTIONS[purchase.saasSubscriptionStatus] ?? []) {
      item.append(
        element('button', action, () => act(purchase, action, plans)),
        ' ',
      )
    }
    return item
  })
  byId('purchases').replaceChildren(...purchaseItems)
}

attempt(async () => {})
