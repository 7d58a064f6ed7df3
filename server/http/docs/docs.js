/* Theme switch, copy buttons and the panel that sends requests. */

const THEME = 'theme'
const SHOWN_HEADERS = [
  'content-type',
  'retry-after',
  'ratelimit-policy',
  'ratelimit',
  'allow',
  'location',
  'www-authenticate',
  'x-request-id',
]
const SHOWN_MAX = 200_000
const TIMEOUT_MS = 120_000

const all = (selector, from = document) => [...from.querySelectorAll(selector)]

function make(tag, properties = {}, children = []) {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/* Theme. Loaded before the first paint to avoid a flash. */

const system = matchMedia('(prefers-color-scheme: dark)')

function chosenTheme() {
  // Browsers may block storage; the choice then lasts until the page is left.
  try {
    return localStorage.getItem(THEME)
  } catch {
    return null
  }
}

function applyTheme(theme) {
  const isKnown = theme === 'dark' || theme === 'light'
  document.documentElement.dataset.theme = isKnown ? theme : system.matches ? 'dark' : 'light'
}

function switchTheme() {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'
  applyTheme(theme)
  try {
    localStorage.setItem(THEME, theme)
  } catch {}
}

/* Copying */

function copyBySelection(element) {
  const range = document.createRange()
  range.selectNodeContents(element)
  const selection = getSelection()
  selection.removeAllRanges()
  selection.addRange(range)
  const isCopied = document.execCommand('copy')
  if (isCopied) selection.removeAllRanges()
  return isCopied
}

async function copy(button) {
  const code = button.closest('figure').querySelector('code')
  let isCopied = true
  try {
    // Available only over HTTPS and on localhost.
    await navigator.clipboard.writeText(code.textContent)
  } catch {
    isCopied = copyBySelection(code)
  }
  // The text after the first node is for screen readers.
  const word = button.firstChild
  word.data = isCopied ? 'Copied' : 'Press Ctrl+C'
  setTimeout(() => {
    word.data = 'Copy'
  }, 2000)
}

/* Try it. The key is kept only in the fields of this page. */

function useKey(key) {
  for (const field of all('[data-key]')) field.value = key
}

function urlOf(form) {
  let path = form.dataset.path
  const query = new URLSearchParams()
  for (const { value, dataset } of all('[data-parameter]', form)) {
    if (dataset.place === 'path') path = path.replace(`{${dataset.parameter}}`, () => encodeURIComponent(value))
    if (dataset.place === 'query' && value !== '') query.append(dataset.parameter, value)
  }
  return query.size > 0 ? `${path}?${query}` : path
}

/** A sample takes the place of a file that was not chosen. */
async function sampleOf(form) {
  const name = form.querySelector('[data-sample]')?.value
  if (!name) return []
  const response = await fetch(`/samples/${name}`, { credentials: 'omit' })
  if (!response.ok) throw new Error(`The sample was answered with ${response.status}.`)
  return [new File([await response.arrayBuffer()], name, { type: response.headers.get('content-type') })]
}

async function bodyOf(form, headers) {
  const { type } = form.dataset
  if (type === 'multipart/form-data') {
    const data = new FormData()
    for (const { dataset, files, value } of all('[data-part]', form)) {
      const given = files?.length === 0 ? await sampleOf(form) : (files ?? [])
      for (const file of given) data.append(dataset.part, file)
      if (files === null && value !== '') data.append(dataset.part, value)
    }
    // The browser sets the content type with its boundary.
    return data
  }
  const text = form.querySelector('[data-body]')?.value.trim()
  if (!text) return undefined
  headers.set('content-type', type)
  return text
}

async function requestOf(form) {
  const headers = new Headers()
  const key = form.querySelector('[data-key]')?.value.trim()
  if (key) headers.set('x-api-key', key)
  for (const { value, dataset } of all('[data-place="header"]', form)) {
    if (value !== '') headers.set(dataset.parameter, value)
  }
  const body = await bodyOf(form, headers)
  return {
    method: form.dataset.method,
    headers,
    body,
    // With a key, test the key and not a session that happens to exist.
    credentials: key ? 'omit' : 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function keyOffer(value) {
  const key = value?.apiKey
  if (typeof key !== 'string') return []
  const button = make('button', { type: 'button', className: 'button button-quiet', textContent: 'Use this key here' })
  button.addEventListener('click', () => {
    useKey(key)
    button.textContent = 'Filled in everywhere on this page'
    button.ariaDisabled = 'true'
  })
  const words = 'This key is shown only once. Store it now.'
  return [make('p', { textContent: words }), button]
}

function showResponse(answer, response, text, ms) {
  const value = parsed(text)
  const shown = (value === undefined ? text : JSON.stringify(value, null, 2)).slice(0, SHOWN_MAX)
  const status = make('span', {
    className: `status status-${String(response.status).charAt(0)}`,
    textContent: `${response.status} ${response.statusText}`.trim(),
  })
  const headers = SHOWN_HEADERS.filter((name) => response.headers.has(name)).flatMap((name) => [
    make('dt', { textContent: name }),
    make('dd', { textContent: response.headers.get(name) }),
  ])
  const body = make('pre', { textContent: shown, tabIndex: 0 })
  body.setAttribute('aria-label', 'Body of the response')
  body.setAttribute('role', 'group')
  answer.replaceChildren(
    make('p', {}, [status, ` in ${Math.round(ms)} ms`]),
    make('dl', {}, headers),
    ...(text === '' ? [make('p', { className: 'dim', textContent: 'No body.' })] : [body]),
    ...(response.ok ? keyOffer(value) : []),
  )
}

async function send(form) {
  const answer = form.parentElement.querySelector('[data-answer]')
  const button = form.querySelector('[type="submit"]')
  // Not `disabled`, which would take the focus away.
  if (button.ariaDisabled === 'true') return
  button.ariaDisabled = 'true'
  const startedAt = performance.now()
  try {
    const response = await fetch(urlOf(form), await requestOf(form))
    const text = await response.text()
    showResponse(answer, response, text, performance.now() - startedAt)
  } catch (error) {
    answer.replaceChildren(make('p', { textContent: `The request could not be sent. ${error.message}` }))
  } finally {
    answer.hidden = false
    button.ariaDisabled = 'false'
  }
}

/* Scroll position */

function bringIntoView(link) {
  const side = link.closest('.side')
  const top = link.offsetTop - side.scrollTop
  if (top < 0 || top + link.offsetHeight > side.clientHeight) side.scrollTop = link.offsetTop - side.clientHeight / 2
}

function markCurrent(links, current) {
  for (const [id, link] of links) {
    if (id !== current) link.removeAttribute('aria-current')
    else {
      link.setAttribute('aria-current', 'location')
      bringIntoView(link)
    }
  }
}

function followReader() {
  const links = new Map(all('.side a[href^="#"]').map((link) => [link.hash.slice(1), link]))
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find((entry) => entry.isIntersecting)
      if (entered) markCurrent(links, entered.target.id)
    },
    { rootMargin: '-80px 0px -75% 0px' },
  )
  for (const id of links.keys()) {
    const target = document.getElementById(id)
    if (target) observer.observe(target)
  }
}

function closeMenu() {
  for (const menu of all('details.menu')) menu.open = false
}

function onClick({ target }) {
  const button = target.closest('button')
  if (button?.matches('[data-theme-switch]')) switchTheme()
  if (button?.matches('[data-copy]')) copy(button)
  if (target.closest('.menu a')) closeMenu()
}

applyTheme(chosenTheme())
system.addEventListener('change', () => applyTheme(chosenTheme()))

document.addEventListener('DOMContentLoaded', () => {
  for (const element of all('[data-theme-switch], [data-copy], [data-try]')) element.hidden = false
  document.addEventListener('click', onClick)
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && closeMenu())
  document.addEventListener('input', ({ target }) => target.matches('[data-key]') && useKey(target.value))
  document.addEventListener('submit', (event) => {
    event.preventDefault()
    send(event.target)
  })
  followReader()
})
