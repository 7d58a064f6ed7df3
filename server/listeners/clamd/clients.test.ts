/** How every client reads every reply, with the options of its recipe: nothing but clean is taken for clean. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { OUTCOMES, type OutcomeName } from '#listeners/outcomes.ts'
import { parseListeners } from '#listeners/specification.ts'
import { pathRefused, streamReply } from './replies.ts'

/** `refused`: neither clean nor infected; the client reports an error, defers or refuses. */
type Reading = 'clean' | 'infected' | 'refused'

/** The reply with its terminator; null if the connection was reset without one. */
type Reader = (reply: string | null) => Reading

interface ClamdClient {
  read: Reader
  /** Of the prefix that the client sends. */
  terminator: '\0' | '\n'
  /** Parameters of its recipe. */
  recipe: string
  /** Its page in docs/connect/. */
  page: string
  /** It takes an error for clean, so that its page begins with a warning. */
  failsOpen?: true
}

const text = (reply: string | null): string => (reply ?? '').replace(/[\0\n]+$/, '')

/** Counts only FOUND; everything else is accepted. */
const onlyFound: Reader = (reply) => (/ FOUND$/.test(text(reply)) ? 'infected' : 'clean')

/** By the end of the reply; everything unknown is an error. */
const strict: Reader = (reply) => {
  if (/ FOUND$/.test(text(reply))) return 'infected'
  return text(reply) === 'stream: OK' ? 'clean' : 'refused'
}

/** go-clamd: no colon in the name; anything else is a parse error, without a result. */
function goClamd(reply: string | null): 'OK' | 'FOUND' | 'ERROR' | 'PARSE ERROR' | null {
  if (reply === null) return null
  const [, status] = /^(?:[^:]+): ?(?:[^:]+?(?:\([^:]+:\d+\))? )?(OK|FOUND|ERROR)$/.exec(text(reply)) ?? []
  return (status as 'OK' | 'FOUND' | 'ERROR' | undefined) ?? 'PARSE ERROR'
}

const FOUND_AND_LIMITS = 'unscannable=found&failure=limits'

const CLIENTS: Record<string, ClamdClient> = {
  Nextcloud: { read: strict, terminator: '\n', recipe: '', page: 'nextcloud.md' },
  'ownCloud 10': {
    read: onlyFound,
    terminator: '\n',
    recipe: FOUND_AND_LIMITS,
    page: 'owncloud.md',
    failsOpen: true,
  },
  'oCIS and OpenCloud': {
    read: (reply) => (goClamd(reply) === 'FOUND' ? 'infected' : 'clean'),
    terminator: '\n',
    recipe: FOUND_AND_LIMITS,
    page: 'owncloud.md',
    failsOpen: true,
  },
  rspamd: {
    // An error ends its rule without a symbol; without a reply it repeats, and then has `_FAIL`.
    read: (reply) => {
      if (reply === null) return 'refused'
      const [, name] = /^stream: (.+) FOUND$/.exec(text(reply)) ?? []
      if (name === undefined) return 'clean'
      return /^Heuristics\.(?:Encrypted|Limits\.Exceeded)/.test(name) ? 'refused' : 'infected'
    },
    terminator: '\0',
    recipe: FOUND_AND_LIMITS,
    page: 'rspamd.md',
    failsOpen: true,
  },
  Exim: { read: strict, terminator: '\0', recipe: '', page: 'exim.md' },
  'clamav-milter': { read: strict, terminator: '\n', recipe: '', page: 'postfix.md' },
  Discourse: { read: onlyFound, terminator: '\0', recipe: FOUND_AND_LIMITS, page: 'discourse.md', failsOpen: true },
  Moodle: { read: strict, terminator: '\n', recipe: '', page: 'moodle.md' },
  'Mattermost plugin': {
    // Refuses an error, and accepts a file without a reply.
    read: (reply) => {
      const status = goClamd(reply)
      if (status === null || status === 'OK') return 'clean'
      return status === 'FOUND' ? 'infected' : 'refused'
    },
    terminator: '\n',
    recipe: 'failure=error',
    page: 'libraries.md',
  },
  clamdscan: { read: strict, terminator: '\0', recipe: '', page: 'clamdscan.md' },
  'django-clamd': {
    read: onlyFound,
    terminator: '\n',
    recipe: FOUND_AND_LIMITS,
    page: 'libraries.md',
    failsOpen: true,
  },
  'npm clamscan': {
    read: (reply) => {
      if (/OK(?:\0|$)/.test(reply ?? '')) return 'clean'
      return /FOUND/.test(reply ?? '') ? 'infected' : 'refused'
    },
    terminator: '\0',
    recipe: '',
    page: 'libraries.md',
  },
  'clamdjs, and the Java client of Solita': {
    read: (reply) => {
      if (reply === null) return 'refused'
      if (reply.includes('OK') && !reply.includes('FOUND')) return 'clean'
      return reply.includes('FOUND') ? 'infected' : 'refused'
    },
    terminator: '\0',
    recipe: '',
    page: 'libraries.md',
  },
  'clamav.js': { read: strict, terminator: '\n', recipe: '', page: 'libraries.md' },
  'pyclamd and python-clamd': {
    read: (reply) => {
      // pyclamd, if the connection is not reset.
      if (reply === null) return 'clean'
      const [, status] = /^(?:stream): (?:.+ )?(FOUND|OK|ERROR)$/.exec(text(reply)) ?? []
      if (status === 'OK') return 'clean'
      return status === 'FOUND' ? 'infected' : 'refused'
    },
    terminator: '\n',
    recipe: '',
    page: 'libraries.md',
  },
  'quahog (PHP)': { read: strict, terminator: '\n', recipe: '', page: 'libraries.md' },
  'nClam (.NET)': {
    read: (reply) => {
      const lower = text(reply).toLowerCase()
      if (lower.endsWith('ok')) return 'clean'
      return lower.endsWith('found') ? 'infected' : 'refused'
    },
    terminator: '\0',
    recipe: '',
    page: 'libraries.md',
  },
  'go-clamd': {
    read: (reply) => {
      const status = goClamd(reply)
      if (status === 'OK') return 'clean'
      return status === 'FOUND' ? 'infected' : 'refused'
    },
    terminator: '\n',
    recipe: '',
    page: 'libraries.md',
  },
}

const NAMES = Object.keys(OUTCOMES) as OutcomeName[]
const IS_CLEAN: readonly OutcomeName[] = ['clean', 'empty', 'passed']
const THREAT = 'Docvet.Test.Eicar'
const PAGES = new URL('../../../docs/connect/', import.meta.url)

function optionsOf(recipe: string) {
  const more = recipe === '' ? '' : `&${recipe}`
  const parsed = parseListeners('clamd', `tcp://127.0.0.1:3310?key=019a8b1c-7f4e-7c3a-9d2b-5e6f70819203${more}`)
  const [listener] = 'value' in parsed ? parsed.value : []
  assert.ok(listener)
  return listener
}

for (const [client, { read, terminator, recipe, page, failsOpen }] of Object.entries(CLIENTS)) {
  describe(client, () => {
    for (const name of NAMES) {
      test(`${name} is ${IS_CLEAN.includes(name) ? 'clean' : 'never clean'}`, () => {
        const reply = streamReply({ name, threat: THREAT }, optionsOf(recipe))
        const reading = read(reply === null ? null : `${reply}${terminator}`)
        assert.equal(reading === 'clean', IS_CLEAN.includes(name), reply ?? 'no reply')
        if (name === 'infected') assert.equal(reading, 'infected')
      })
    }

    test('has a page with its options', () => {
      const file = new URL(page, PAGES)
      assert.ok(existsSync(file), `docs/connect/${page} does not exist`)
      const lines = readFileSync(file, 'utf8').split('\n')
      assert.ok(recipe === '' || lines.some((line) => line.includes(recipe)), `it does not say ${recipe}`)
      if (failsOpen) assert.match(lines[2] ?? '', /accept/, 'its first line must say that errors are accepted')
    })
  })
}

test('no client is safe with every option: the recipes matter', () => {
  const accepted = Object.values(CLIENTS).filter(({ read, terminator, failsOpen }) => {
    const reply = streamReply({ name: 'failed' }, optionsOf(''))
    return failsOpen && read(`${reply}${terminator}`) === 'clean'
  })
  assert.equal(accepted.length, Object.values(CLIENTS).filter(({ failsOpen }) => failsOpen).length)
})

/** Of a document, chosen by its sender. */
const HOSTILE_THREATS = [
  'OK',
  'stream: OK',
  'a: b OK',
  'FOUND',
  'x FOUND\0stream: OK',
  'x\nstream: OK\n',
  'ERROR',
  '',
  ' ',
  'Ünïcode.Thrëat',
  'a'.repeat(1_000),
  'Heur OK ',
  '\u0000\u0007',
]

describe('a reply that is not clean', () => {
  for (const name of NAMES.filter((each) => !IS_CLEAN.includes(each))) {
    test(`keeps the rules for its text: ${name}`, () => {
      for (const recipe of ['', 'unscannable=found', 'failure=limits', FOUND_AND_LIMITS]) {
        for (const threat of HOSTILE_THREATS) {
          const reply = streamReply({ name, threat }, optionsOf(recipe)) ?? ''
          assert.match(reply, /^[\x20-\x7e]{1,200}$/, reply)
          assert.ok(!reply.includes('OK'), reply)
          assert.match(reply, /^(?:stream: [^:]+|[^:]+) (?:ERROR|FOUND)$/)
          assert.equal(reply.split(/FOUND|ERROR/).length, 2, reply)
          if (reply.endsWith(' FOUND')) assert.match(reply, /^stream: [A-Za-z0-9._(){}+/-]+ FOUND$/)
        }
      }
    })
  }
})

test('the reply to a path has one line and no word of a verdict, whatever the path', () => {
  assert.equal(pathRefused('/tmp/a b'), '/tmp/a b: File path check failure: Permission denied. ERROR')
  for (const path of ['/tmp/a: OK\nstream: OK', '/tmp/OK', 'x FOUND\0', '/tmp/ERROR', 'Größe']) {
    const reply = pathRefused(path)
    assert.match(reply, /^[\x20-\x7e]+: File path check failure: Permission denied\. ERROR$/)
    assert.ok(!/OK|FOUND|ERROR./.test(reply), reply)
  }
})

describe('the setting of a recipe', () => {
  const pages = globSync('[a-z]*.md', { cwd: PAGES })
  const settings = pages.flatMap((page) =>
    [...readFileSync(new URL(page, PAGES), 'utf8').matchAll(/^DOCVET_CLAMD_LISTEN=(.+)$/gm)].map(([, text = '']) => [
      page,
      text,
    ]),
  )
  for (const [page = '', text = ''] of settings) {
    test(`of ${page} is valid`, () => {
      const parsed = parseListeners('clamd', text.replaceAll('<key id>', '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'))
      assert.ok('value' in parsed, 'wrong' in parsed ? parsed.wrong : '')
      const client = Object.values(CLIENTS).find((each) => each.page === page && each.failsOpen)
      if (client && page !== 'libraries.md') assert.ok(text.includes(client.recipe))
    })
  }
  test('exists on every page of a client', () => {
    for (const { page } of Object.values(CLIENTS))
      assert.ok(
        settings.some(([name]) => name === page),
        page,
      )
  })
})
