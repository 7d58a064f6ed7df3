/** Values that operators can set in the Helm chart, and the schema of these values. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import {
  DEFAULTS,
  envOf,
  isValid,
  NONE,
  podOf,
  type Resource,
  ROOT,
  read,
  render,
  service,
  type Tree,
} from '#test/support/chart.ts'

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

test("the operator's lists are mounted where the service reads them", () => {
  const values = { feedsVolume: { persistentVolumeClaim: { claimName: 'lists' } } }
  const pod = service(values)
  const mounts = pod.containers[0].volumeMounts as { name: string; mountPath: string; readOnly: boolean }[]
  const mount = mounts.find(({ name }) => name === 'feeds')
  assert.deepEqual(mount, { name: 'feeds', mountPath: envOf(values).DOCVET_FEEDS_DIR, readOnly: true })
  const volume = pod.volumes.find(({ name }) => name === 'feeds')
  assert.deepEqual(volume, { name: 'feeds', persistentVolumeClaim: { claimName: 'lists' } })
  assert.equal(envOf({}).DOCVET_FEEDS_DIR, undefined)
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
