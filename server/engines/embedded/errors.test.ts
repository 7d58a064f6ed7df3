import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FILES_LISTED_MAX, publicMessageOf, RulesRejected, SelfTestFailed } from './errors.ts'

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}.yar`, reason: 'cannot be read' }))

describe('the public message of an error', () => {
  it('lists rejected files with a reason each, never the message', () => {
    const error = new RulesRejected('a.yar: error in $secret', [{ name: 'a.yar', reason: 'does not compile, line 3' }])
    assert.equal(publicMessageOf(error), 'a.yar does not compile, line 3')
  })

  it(`lists at most ${FILES_LISTED_MAX} files, and counts the others`, () => {
    assert.doesNotMatch(publicMessageOf(new RulesRejected('', files(FILES_LISTED_MAX))), /more/)
    assert.match(
      publicMessageOf(new RulesRejected('', files(FILES_LISTED_MAX + 1))),
      /, 9\.yar cannot be read, and 1 more$/,
    )
  })

  it('reveals nothing of other errors', () => {
    assert.equal(publicMessageOf(new Error("ENOENT: no such file or directory, open '/etc/secret'")), 'see the log')
  })

  it('names the canary of a failed self-test, without the message of the analyser', () => {
    const error = new SelfTestFailed('a harmless text', 'the analyser threw: Error at file:///srv/x.ts')
    assert.equal(publicMessageOf(error), 'a worker failed its self-test with a harmless text')
  })

  it('has no control characters', () => {
    assert.equal(publicMessageOf(new RulesRejected('', [{ name: 'a\n\u001b[2J.yar', reason: 'x' }])), 'a??[2J.yar x')
  })
})
