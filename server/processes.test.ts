import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '#config/config.ts'
import { shareOf } from './processes.ts'

test('limits and workers are divided among the processes', () => {
  const config = loadConfig({
    ...{ DOCVET_PROCESSES: '3', DOCVET_EMBEDDED_CHILDREN: '5', DOCVET_CONNECTIONS: '100' },
    DOCVET_CONNECTIONS_PER_ADDRESS: '10',
    DOCVET_SCAN_BYTES_IN_FLIGHT: '300000000',
  })
  const shares = [1, 2, 3].map((slot) => shareOf(config, slot))
  assert.deepEqual(
    shares.map(({ embeddedWorkers }) => embeddedWorkers),
    [2, 2, 1],
  )
  for (const share of shares) {
    assert.deepEqual([share.connectionsMax, share.connectionsPerAddress, share.scanBytesInFlight], [34, 4, 100_000_000])
  }
})

test('every process has a worker, and memory for the largest document', () => {
  const config = loadConfig({
    ...{ DOCVET_PROCESSES: '8', DOCVET_EMBEDDED_CHILDREN: '1' },
    DOCVET_SCAN_BYTES_IN_FLIGHT: '33554432',
  })
  const { embeddedWorkers, scanBytesInFlight, connectionsPerAddress } = shareOf(config, 8)
  assert.deepEqual([embeddedWorkers, scanBytesInFlight, connectionsPerAddress], [1, 33_554_432, null])
})
