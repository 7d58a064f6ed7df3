/** The Helm chart, rendered by a small renderer because helm is not installed here. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { Compile } from 'typebox/schema'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig } from '#config/config.ts'
import { SETTINGS } from '#config/settings.ts'
import { renderTemplate } from '#test/support/go-template.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const CHART = path.join(ROOT, 'deploy/helm/docvet')
const read = (file: string): string => readFileSync(path.join(CHART, file), 'utf8')

type Tree = Record<string, unknown>
interface Resource {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  spec: Tree
  data?: Record<string, string>
}
interface Container {
  env: { name: string; value: string }[]
  [name: string]: unknown
}
interface Pod {
  containers: [Container]
  volumes: { name: string }[]
  [name: string]: unknown
}

function merged(base: Tree, more: Tree): Tree {
  const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(more).map(([name, value]) => {
    const old = base[name]
    return [name, isTree(old) && isTree(value) ? merged(old, value) : value]
  })
  return { ...base, ...Object.fromEntries(entries) }
}

const DEFAULTS = parse(read('values.yaml')) as Tree
const PUBLIC_URL = 'https://scan.example.com'
const schema = Compile(JSON.parse(read('values.schema.json')))
const isValid = (values: Tree): boolean => schema.Check(merged(DEFAULTS, values))

/** All resources, by kind and name. */
function render(values: Tree = {}): Map<string, Resource> {
  const Values = merged({ ...DEFAULTS, publicUrl: PUBLIC_URL }, values)
  assert.ok(schema.Check(Values), JSON.stringify(schema.Errors(Values)))
  const { appVersion: AppVersion } = parse(read('Chart.yaml')) as Tree
  const data = { Values, Release: { Name: 'docvet' }, Chart: { AppVersion } }
  const resources = new Map<string, Resource>()
  for (const file of readdirSync(path.join(CHART, 'templates')).filter((name) => name.endsWith('.yaml'))) {
    for (const document of parseAllDocuments(renderTemplate(read(`templates/${file}`), data, read))) {
      assert.deepEqual(document.errors, [], file)
      const resource = document.toJS() as Resource | null
      if (resource) resources.set(`${resource.kind} ${resource.metadata.name}`, resource)
    }
  }
  return resources
}

const NONE: Resource = { apiVersion: '', kind: '', metadata: { name: '' }, spec: {} }
const podOf = (resource = NONE): Pod => (resource.spec.template as { spec: Pod }).spec
const service = (values?: Tree) => podOf(render(values).get('Deployment docvet'))
const envOf = (values?: Tree) =>
  Object.fromEntries(service(values).containers[0].env.map(({ name, value }) => [name, value]))

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

test('the public URL is required, and its host is that of the Ingress', () => {
  assert.throws(() => render({ publicUrl: '' }), /Set publicUrl/)
  const hosts = (publicUrl: string) => {
    const values = { publicUrl, ingress: { enabled: true }, trustedProxies: '10.0.0.0/8' }
    assert.equal(envOf(values).DOCVET_PUBLIC_URL, publicUrl)
    const { rules, tls } = (render(values).get('Ingress docvet') ?? NONE).spec as {
      rules: { host: string }[]
      tls: { hosts: string[] }[]
    }
    return [rules[0]?.host, ...(tls[0]?.hosts ?? [])]
  }
  assert.deepEqual(hosts('https://a.example.org'), ['a.example.org', 'a.example.org'])
  assert.deepEqual(hosts('https://a.example.org:8443'), ['a.example.org', 'a.example.org'])
})

test('an Ingress has a class and further annotations only if they are set', () => {
  const ingress = (more: Tree) =>
    render({ ingress: { enabled: true, ...more }, trustedProxies: '10.0.0.0/8' }).get('Ingress docvet')
  assert.ok(!('ingressClassName' in (ingress({})?.spec ?? {})))
  assert.equal(ingress({ className: 'nginx' })?.spec.ingressClassName, 'nginx')
  const { annotations = {} } = ingress({ annotations: { 'cert-manager.io/issuer': 'own' } })?.metadata ?? {}
  assert.equal(annotations['cert-manager.io/issuer'], 'own')
  assert.equal(annotations['nginx.ingress.kubernetes.io/proxy-body-size'], '27m')
})

test('nothing of what an operator can add is there by default, and all of it where it is set', () => {
  const secret = { name: 'registry' }
  const fromSecret = { name: 'DOCVET_CHAT_KEY', valueFrom: { secretKeyRef: { name: 'chat', key: 'key' } } }
  const envFrom = [{ secretRef: { name: 'settings' } }]
  const tolerations = [{ key: 'scanning', operator: 'Exists' }]
  const affinity = { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } }
  const placement = { nodeSelector: { disk: 'ssd' }, tolerations, affinity }
  const volume = { name: 'authority', configMap: { name: 'authority' } }
  const mount = { name: 'authority', mountPath: '/authority', readOnly: true }
  const values = {
    ...{ imagePullSecrets: [secret], env: [fromSecret], envFrom, extraVolumes: [volume], extraVolumeMounts: [mount] },
    ...{
      annotations: { a: '1' },
      podAnnotations: { b: '2' },
      podLabels: { team: 'x' },
      serviceAnnotations: { c: '3' },
    },
    ...{
      ...placement,
      priorityClassName: 'high',
      clamd: { ...placement, podAnnotations: { d: '4' }, storageClassName: 'fast' },
    },
  }
  const all = render(values)
  const deployment = all.get('Deployment docvet') as Resource
  const { containers, volumes, ...pod } = podOf(deployment)
  assert.deepEqual(deployment.metadata.annotations, { a: '1' })
  const { metadata } = deployment.spec.template as { metadata: { labels: Tree; annotations: Tree } }
  assert.deepEqual([metadata.labels.team, metadata.annotations], ['x', { b: '2' }])
  assert.equal(all.get('Service docvet')?.metadata.annotations?.c, '3')
  assert.equal(pod.priorityClassName, 'high')
  assert.deepEqual(containers[0].env.at(-1), fromSecret)
  assert.deepEqual(containers[0].envFrom, envFrom)
  assert.deepEqual([volumes.at(-1), (containers[0].volumeMounts as Tree[]).at(-1)], [volume, mount])
  const clamd = all.get('StatefulSet docvet-clamd') as Resource
  for (const { imagePullSecrets, nodeSelector, tolerations, affinity } of [pod, podOf(clamd)])
    assert.deepEqual(
      { imagePullSecrets, nodeSelector, tolerations, affinity },
      { imagePullSecrets: [secret], ...placement },
    )
  assert.match(JSON.stringify(clamd), /"annotations":\{"d":"4"\}.*"storageClassName":"fast"/)

  const plain = JSON.stringify([...render().values()])
  for (const name of ['imagePullSecrets', 'envFrom', 'nodeSelector', 'tolerations', 'affinity', 'priorityClassName'])
    assert.ok(!plain.includes(name), name)
  assert.ok(!plain.includes('storageClassName') && !plain.includes('serviceAccountName'))
})

test('a service account is created or named, and its token is never mounted', () => {
  const made = render({ serviceAccount: { create: true, annotations: { e: '5' } } })
  const account = made.get('ServiceAccount docvet') as Resource & { automountServiceAccountToken: boolean }
  assert.deepEqual([account.automountServiceAccountToken, account.metadata.annotations], [false, { e: '5' }])
  assert.equal(podOf(made.get('Deployment docvet')).serviceAccountName, 'docvet')
  const named = render({ serviceAccount: { name: 'own' } })
  assert.equal(podOf(named.get('Deployment docvet')).serviceAccountName, 'own')
  assert.ok(!named.has('ServiceAccount own'))
  assert.equal(podOf(named.get('Deployment docvet')).automountServiceAccountToken, false)
})

test("the operator's rules are mounted where the service reads them", () => {
  const text = 'rule Own { strings: $a = "own" condition: $a }'
  const own = render({ rules: { 'own.yar': text } })
  assert.deepEqual(own.get('ConfigMap docvet-rules')?.data, { 'own.yar': text })
  const mapOf = (values: Tree) => {
    const pod = service(values)
    const mount = (pod.containers[0].volumeMounts as { name: string; mountPath: string }[]).find(
      ({ name }) => name === 'rules',
    )
    assert.equal(mount?.mountPath, envOf(values).DOCVET_RULES_DIR)
    return (pod.volumes.find(({ name }) => name === 'rules') as { configMap?: { name: string } } | undefined)?.configMap
  }
  assert.deepEqual(mapOf({ rules: { 'own.yar': text } }), { name: 'docvet-rules' })
  assert.deepEqual(mapOf({ rulesConfigMap: 'shared' }), { name: 'shared' })
  assert.equal(mapOf({}), undefined)
})

test('the Prometheus operator finds the metrics under the job of the alerts, and has the alerts', () => {
  const all = render({ serviceMonitor: { enabled: true, labels: { release: 'p' } }, prometheusRule: { enabled: true } })
  const monitor = all.get('ServiceMonitor docvet') as Resource
  assert.deepEqual(monitor.metadata.labels, { release: 'p' })
  const { selector, endpoints, jobLabel } = monitor.spec as {
    selector: { matchLabels: Tree }
    endpoints: { port: string }[]
    jobLabel: string
  }
  const { labels = {} } = all.get('Service docvet')?.metadata ?? {}
  assert.deepEqual(selector.matchLabels, labels)
  const alerts = readFileSync(path.join(ROOT, 'deploy/prometheus/alerts.yaml'), 'utf8')
  assert.equal(read('alerts.yaml'), alerts)
  assert.ok(alerts.includes(`job="${labels[jobLabel]}"`))
  const ports = ((all.get('Service docvet') ?? NONE).spec.ports as { name: string }[]).map(({ name }) => name)
  assert.deepEqual(
    endpoints.map(({ port }) => ports.includes(port)),
    [true],
  )
  assert.deepEqual(all.get('PrometheusRule docvet')?.spec, parse(alerts))
})

describe('values.schema.json', () => {
  test('knows every value, and accepts those of values.yaml', () => {
    const { properties } = JSON.parse(read('values.schema.json')) as {
      properties: Record<string, { properties?: Tree }>
    }
    const { global: _, ...known } = properties
    assert.deepEqual(Object.keys(known).sort(), Object.keys(DEFAULTS).sort())
    for (const [name, { properties: inner }] of Object.entries(known))
      if (inner) assert.deepEqual(Object.keys(inner).sort(), Object.keys(DEFAULTS[name] as Tree).sort(), name)
    assert.ok(isValid({}))
    assert.ok(isValid({ global: { any: 1 } }))
  })

  const WRONG: Record<string, Tree> = {
    'a misspelt name': { replica: 3 },
    'a misspelt name below another': { ingress: { class: 'nginx' } },
    'a number as text': { replicas: '3' },
    'no replica': { replicas: 0 },
    'a URL with a path': { publicUrl: 'https://example.com/scan' },
    'a URL that ends in a slash': { publicUrl: 'https://example.com/' },
    'a URL without a scheme': { publicUrl: 'example.com' },
    'an Ingress for plain HTTP': { publicUrl: 'http://example.com', ingress: { enabled: true } },
    'a setting in lower case': { settings: { docvet_signup: 'closed' } },
    'rules with a name that is not read': { rules: { 'own.txt': '' } },
    'an unknown pull policy': { image: { pullPolicy: 'Sometimes' } },
    'a volume without a name': { extraVolumes: [{}] },
  }
  for (const [what, values] of Object.entries(WRONG)) test(`refuses ${what}`, () => assert.ok(!isValid(values)))
})
