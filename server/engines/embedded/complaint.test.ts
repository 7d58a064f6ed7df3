import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FILES_SHOWN_MAX, ProofFailed, RulesRefused, shownOf } from './complaint.ts'

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `${index}.yar`, reason: 'cannot be read' }))

describe('what is shown of a complaint', () => {
  it('is the names of files with a reason each, never the message', () => {
    const error = new RulesRefused('a.yar: error in $secret', [{ name: 'a.yar', reason: 'does not compile, line 3' }])
    assert.equal(shownOf(error), 'a.yar does not compile, line 3')
  })

  it(`is ${FILES_SHOWN_MAX} files at most, and how many more there are`, () => {
    assert.doesNotMatch(shownOf(new RulesRefused('', files(FILES_SHOWN_MAX))), /more/)
    assert.match(shownOf(new RulesRefused('', files(FILES_SHOWN_MAX + 1))), /, 9\.yar cannot be read, and 1 more$/)
  })

  it('is nothing of an error that is not ours', () => {
    assert.equal(shownOf(new Error("ENOENT: no such file or directory, open '/etc/secret'")), 'the log says why')
  })

  it('is the document of a proof, without what the analyser said', () => {
    const error = new ProofFailed('a harmless text', 'the analyser threw: Error at file:///srv/x.ts')
    assert.equal(shownOf(error), 'a child failed its proof with a harmless text')
  })

  it('has no character that cannot be seen', () => {
    assert.equal(shownOf(new RulesRefused('', [{ name: 'a\n\u001b[2J.yar', reason: 'x' }])), 'a??[2J.yar x')
  })
})
