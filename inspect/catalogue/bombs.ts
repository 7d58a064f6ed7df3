/** Documents made to exhaust the programs that read them. */

import { RATIO_BOMB } from '#inspect/core/findings.ts'
import type { Definition } from './definition.ts'

const EXHAUSTION = 'T1499.004'

const article: Definition['article'] = {
  danger:
    'A program that unpacks the whole file runs out of memory, disk space or time. Mail gateways and scanners that give up on it may let other files pass unchecked.',
  cause: null,
  advice: 'Delete the document. Do not unpack it, not even for a closer look.',
}

export const BOMBS = {
  ratio: {
    ...RATIO_BOMB,
    article: {
      ...article,
      cause: 'Disk images, logs and database dumps that consist of one repeated value can reach such a ratio.',
      advice: 'Ask the sender for the files without compression. If nobody expected it, delete it.',
    },
  },
  overlap: {
    id: 'Docvet.Bomb.Overlap',
    severity: 'malicious',
    title: 'Archive entries overlap',
    reason: 'Several archive entries use the same bytes, which only decompression bombs do.',
    technique: EXHAUSTION,
    article,
  },
  shared: {
    id: 'Docvet.Bomb.SharedEntry',
    severity: 'malicious',
    title: 'Archive entries share their data',
    reason: 'Several archive entries point to the same data, which only decompression bombs do.',
    technique: EXHAUSTION,
    article,
  },
  quine: {
    id: 'Docvet.Bomb.Quine',
    severity: 'malicious',
    title: 'Archive contains itself',
    reason: 'Unpacking it recursively never ends. Such an archive has no other purpose.',
    technique: EXHAUSTION,
    article,
  },
  entities: {
    id: 'Docvet.Bomb.Entities',
    severity: 'malicious',
    title: 'XML entity expansion bomb',
    reason: 'XML entities refer to each other so often that expanding them exhausts memory.',
    technique: EXHAUSTION,
    article: {
      danger: 'A program that reads the XML expands the entities until its memory is used up.',
      cause: null,
      advice: 'Delete the document. Test files for XML parsers contain such entities on purpose.',
    },
  },
} as const satisfies Record<string, Definition>
