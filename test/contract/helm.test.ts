/** What the Helm chart renders by default. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { loadConfig } from '#config/config.ts'
import { SETTINGS } from '#config/settings.ts'
import {
  DEFAULTS,
  envOf,
  NONE,
  type Pod,
  PUBLIC_URL,
  podOf,
  ROOT,
  read,
  render,
  service,
  type Tree,
} from '#test/support/chart.ts'

test('renders these resources by default, and the others if they are enabled', () => {
  const basic = [
    ...['ConfigMap docvet-clamd', 'Deployment docvet', 'NetworkPolicy docvet', 'NetworkPolicy docvet-clamd'],
    ...['PodDisruptionBudget docvet', 'Service docvet', 'Service docvet-clamd', 'StatefulSet docvet-clamd'],
  ]
  assert.deepEqual([...render().keys()].sort(), basic)
  const all = render({
    autoscaling: { enabled: true },
    ingress: { enabled: true, className: 'nginx' },
    trustedProxies: '10.0.0.0/8',
  })
  assert.deepEqual([...all.keys()].sort(), [...basic, 'HorizontalPodAutoscaler docvet', 'Ingress docvet'].sort())
  const none = render({ clamd: { enabled: false }, networkPolicy: { enabled: false } })
  assert.deepEqual([...none.keys()].sort(), ['Deployment docvet', 'PodDisruptionBudget docvet', 'Service docvet'])
  for (const { apiVersion, kind } of all.values()) assert.ok(apiVersion && kind)
})

test('the settings exist and form a valid configuration', () => {
  const secrets = {
    '/secrets/database-url': 'postgres://a@b/c',
    '/secrets/redis-url': 'redis://r',
    '/secrets/secret-key': Buffer.alloc(32).toString('base64'),
    '/secrets/smtp-url': 'smtp://m',
  }
  const env = envOf({ smtp: true, processes: 2, settings: { DOCVET_SIGNUP: 'closed', DOCVET_CHAT_PER_DAY: 5 } })
  const names = Object.values(SETTINGS).map(({ name }): string => name)
  for (const name of Object.keys(env)) assert.ok(names.includes(name.replace(/_FILE$/, '')), name)
  const config = loadConfig(env, (file) => secrets[file as keyof typeof secrets])
  assert.deepEqual(
    config.warnings.filter((warning) => !/DOCVET_MAIL_FROM/.test(warning)),
    [],
  )
  assert.deepEqual([config.signup, config.chatPerDay, config.processes], ['closed', 5, 2])
  // Not one per core of the node, whose memory the pod does not have.
  assert.equal(config.embeddedWorkers, 2)
  assert.deepEqual(
    config.clamdUrls,
    [0, 1].map((index) => `tcp://docvet-clamd-${index}.docvet-clamd:3310`),
  )
  assert.ok(!Object.keys(envOf({ clamd: { enabled: false } })).some((name) => name.includes('CLAMD')))
})

test('the pod has no rights that it does not need', () => {
  const pod = service()
  assert.deepEqual([pod.enableServiceLinks, pod.automountServiceAccountToken], [false, false])
  const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext as Tree
  assert.deepEqual([runAsNonRoot, runAsUser, seccompProfile], [true, 10001, { type: 'RuntimeDefault' }])
  assert.deepEqual(pod.containers[0].securityContext, {
    ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  })
  const mounted = (pod.containers[0].volumeMounts as { name: string }[]).map(({ name }) => name)
  assert.deepEqual(mounted.toSorted(), pod.volumes.map(({ name }) => name).toSorted())
})

test('the proxies in front are trusted, and an Ingress is not possible without them', () => {
  assert.throws(() => render({ ingress: { enabled: true } }), /Set trustedProxies/)
  for (const enabled of [true, false])
    assert.equal(envOf({ ingress: { enabled }, trustedProxies: '10.0.0.0/8' }).DOCVET_TRUSTED_PROXIES, '10.0.0.0/8')
  assert.ok(!('DOCVET_TRUSTED_PROXIES' in envOf()))
})

for (const protocol of ['clamd', 'icap'] as const) {
  test(`a listener for ${protocol} has its port only with a key, and is not possible without the network of its clients`, () => {
    const [name, setting] = [`${protocol}Listener`, `DOCVET_${protocol.toUpperCase()}_LISTEN`]
    const [option, value] = protocol === 'clamd' ? ['&failure=limits', 'limits'] : ['&failure=found', 'found']
    const listener = { keyId: '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203', from: '10.244.0.0/16', options: option }
    const rendered = render({ clamd: { enabled: false }, [name]: listener })
    const open = [...rendered.values()].filter((each) => JSON.stringify(each).includes(`"${protocol}"`))
    assert.deepEqual(open.map(({ kind }) => kind).sort(), ['Deployment', 'NetworkPolicy', 'Service'])
    const { listeners } = loadConfig({ [setting]: envOf({ [name]: listener })[setting] })
    const [{ from, failure, keyId } = { from: null, failure: '', keyId: '' }] = listeners
    assert.deepEqual([from, failure, keyId], [['10.244.0.0/16'], value, listener.keyId])
    assert.equal(envOf()[setting], undefined)
    assert.throws(() => render({ [name]: { ...listener, from: '' } }), new RegExp(`${name}\\.from`))
  })
}

test('the pod is opened for bubblewrap only on request', () => {
  const opened = (pod: Pod): unknown[] => {
    const { seccompProfile, appArmorProfile } = pod.securityContext as Tree
    const { procMount } = pod.containers[0].securityContext as Tree
    return [seccompProfile, appArmorProfile, procMount, pod.hostUsers]
  }
  const unconfined = { type: 'Unconfined' }
  assert.deepEqual(opened(service({ bubblewrap: true })), [unconfined, unconfined, 'Unmasked', false])
  assert.deepEqual(opened(service()), [{ type: 'RuntimeDefault' }, undefined, undefined, undefined])
})

test('probes use paths of the service, and shutdown has the time that requests need', () => {
  const pod = service()
  const probe = (name: string) => (pod.containers[0][name] as { httpGet: { path: string } }).httpGet.path
  assert.deepEqual(['startupProbe', 'livenessProbe', 'readinessProbe'].map(probe), ['/livez', '/livez', '/readyz'])
  assert.ok((pod.terminationGracePeriodSeconds as number) >= 60)
})

test('selectors match the labels of their pods, and named ports exist', () => {
  const resources = render()
  for (const name of ['Deployment docvet', 'StatefulSet docvet-clamd']) {
    const { selector, template } = (resources.get(name) ?? NONE).spec as {
      selector: { matchLabels: Tree }
      template: { metadata: { labels: Tree } }
    }
    assert.deepEqual(selector.matchLabels, template.metadata.labels, name)
    const service = resources.get(`Service ${name.split(' ')[1]}`)?.spec as {
      selector: Tree
      ports: { targetPort: string }[]
    }
    assert.deepEqual(service.selector, template.metadata.labels)
    const ports = podOf(resources.get(name)).containers[0].ports as { name: string }[]
    for (const { targetPort } of service.ports) assert.ok(ports.some((port) => port.name === targetPort))
  }
})

test('with autoscaling, the number of replicas is not set', () => {
  const deployment = render({ autoscaling: { enabled: true } }).get('Deployment docvet')
  assert.equal(deployment?.spec.replicas, undefined)
  assert.equal(render().get('Deployment docvet')?.spec.replicas, 2)
})

test('with KEDA, jobs that are due and scans in progress of this release scale it, and nothing else does', () => {
  const keda = { enabled: true, prometheusUrl: 'http://prometheus:9090', jobsDue: 20 }
  const resources = render({ autoscaling: { enabled: true, keda } })
  assert.ok(!resources.has('HorizontalPodAutoscaler docvet'))
  const { triggers, ...spec } = (resources.get('ScaledObject docvet') ?? NONE).spec as { triggers: Tree[] } & Tree
  assert.deepEqual(spec, { scaleTargetRef: { name: 'docvet' }, minReplicaCount: 2, maxReplicaCount: 10 })
  const metadata = triggers.map((trigger) => trigger.metadata as Record<string, string>)
  assert.deepEqual(
    triggers.map(({ type }) => type),
    ['prometheus', 'prometheus', 'cpu'],
  )
  assert.deepEqual([metadata[0]?.threshold, metadata[1]?.threshold, metadata[2]?.value], ['20', '16', '80'])
  for (const { serverAddress, query = '' } of metadata.slice(0, 2)) {
    assert.equal(serverAddress, keda.prometheusUrl)
    const [, name = ''] = /(docvet_\w+)\{namespace="scanning",service="docvet"\}/.exec(query) ?? []
    // With a name that docs/metrics.md has, where a test compares it with the service.
    assert.ok(readFileSync(path.join(ROOT, 'docs/metrics.md'), 'utf8').includes(`| \`${name}\` `), query)
  }
  assert.throws(() => render({ autoscaling: { enabled: true, keda: { enabled: true } } }), /prometheusUrl/)
})

test('clamd has our configuration', () => {
  const original = readFileSync(path.join(ROOT, 'deploy/clamd.conf'), 'utf8')
  assert.equal(read('clamd.conf'), original)
  assert.equal(render().get('ConfigMap docvet-clamd')?.data?.['clamd.conf']?.trim(), original.trim())
})

test('the memory of clamd holds the documents of all threads, and two sets of signatures', () => {
  const settingOf = (name: string) => Number(new RegExp(`^${name} (\\d+)M?$`, 'm').exec(read('clamd.conf'))?.[1])
  const { clamd } = DEFAULTS as unknown as {
    clamd: { unpackedSize: string; resources: { limits: { memory: string } } }
  }
  const [unpacked, limit] = [clamd.unpackedSize, clamd.resources.limits.memory].map((size) => {
    assert.match(size, /^\d+Gi$/)
    return Number.parseInt(size, 10) * 1024
  })
  assert.ok(Number(unpacked) >= settingOf('MaxThreads') * (settingOf('StreamMaxLength') + settingOf('MaxScanSize')))
  // 2.4 GB, in MiB.
  const signatures = 2_400 / 1.048576
  assert.ok(Number(limit) >= Number(unpacked) + signatures)
  const { volumes } = podOf(render().get('StatefulSet docvet-clamd'))
  assert.deepEqual(
    volumes.find(({ name }) => name === 'unpacked'),
    {
      ...{ name: 'unpacked', emptyDir: { medium: 'Memory', sizeLimit: clamd.unpackedSize } },
    },
  )
  const compose = readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8')
  assert.ok(compose.includes(`/var/tmp/clamav:mode=1777,size=${Number.parseInt(clamd.unpackedSize, 10)}g`))
})

test('the image has the version of package.json unless a tag is set, and the documented commands have it too', () => {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const chart = parse(read('Chart.yaml')) as Tree
  assert.deepEqual([chart.appVersion, chart.version], [version, version])
  assert.equal(service().containers[0].image, `docvet:${version}`)
  assert.equal(service({ image: { repository: 'a/b', tag: 'c' } }).containers[0].image, 'a/b:c')
  const page = readFileSync(path.join(ROOT, 'docs/deployment.md'), 'utf8')
  const [, block = ''] = /```sh\n([^`]*helm install[^`]*)```/.exec(page) ?? []
  const pushed = [...block.matchAll(/docker (?:build --tag|push) (\S+)/g)].map(([, name]) => name)
  const [, repository] = /--set image\.repository=(\S+)/.exec(block) ?? []
  assert.deepEqual(pushed, [`${repository}:${version}`, `${repository}:${version}`])
  assert.equal(/--set publicUrl=(\S+)/.exec(block)?.[1], PUBLIC_URL)
})
