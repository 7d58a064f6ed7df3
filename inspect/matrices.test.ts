/** Each attack of the tables is found or refused, and the document that resembles it is neither accused nor refused. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from './testing/inspector.ts'
import { ADMINISTRATION } from './testing/matrices/administration.ts'
import { ASKS } from './testing/matrices/asks.ts'
import { BUILDS } from './testing/matrices/builds.ts'
import { DELIVERIES } from './testing/matrices/deliveries.ts'
import { EXCEL_4 } from './testing/matrices/excel4.ts'
import { FILES } from './testing/matrices/files.ts'
import { MACROS } from './testing/matrices/macros.ts'
import { PAGE_THEFTS } from './testing/matrices/page-thefts.ts'
import { SETTINGS } from './testing/matrices/settings.ts'
import { SHORTCUTS } from './testing/matrices/shortcuts.ts'

const { outcome } = useInspector()

for (const table of [
  ADMINISTRATION,
  ASKS,
  DELIVERIES,
  BUILDS,
  SETTINGS,
  SHORTCUTS,
  FILES,
  MACROS,
  EXCEL_4,
  PAGE_THEFTS,
])
  for (const [name, pairs] of Object.entries(table))
    suite(name, () => {
      test('attacks are found', () => {
        const missed = pairs.filter(({ attack }) => outcome(attack) === undefined)
        assert.deepEqual(
          missed.map(({ name }) => name),
          [],
        )
      })
      test('documents that resemble them are clean', () => {
        const accused = pairs.filter(({ harmless }) => outcome(harmless) !== undefined)
        assert.deepEqual(
          accused.map(({ name }) => name),
          [],
        )
      })
    })
