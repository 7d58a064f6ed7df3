/** Providers of sign-in that speak OpenID Connect: the list in DOCVET_OIDC_PROVIDERS. */
import { isLoopback } from '#base/loopback.ts'

export interface Provider {
  /** In the URLs of this service. */
  id: string
  kind: 'microsoft' | 'google' | 'oidc'
  /** On the buttons. */
  name: string
  /** Where its metadata is found. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Of Microsoft: whose people may sign in. */
  tenant: string | null
  allowTenants: readonly string[] | null
  /** Of addresses, in lower case. */
  allowDomains: readonly string[] | null
  /** Of Google: the domain of the organisation. */
  hd: string | null
  /** Accounts whose members people become, by their tenant, Workspace domain or domain of addresses. */
  joinAccounts: Readonly<Record<string, string>>
  /** Every address that it reports belongs to the person, although it does not say so. */
  trustEmail: boolean
  /** Called instead of Microsoft's own address. */
  authorityUrl: string | null
}

const PROVIDERS_MAX = 10
const LIST_MAX = 100
export const MICROSOFT = 'https://login.microsoftonline.com'
export const GUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
const ID = /^[a-z][a-z\d-]{0,31}$/
const NAME = /^[^\p{C}<>&"]{1,40}$/u
const VISIBLE = /^[\x21-\x7e]{1,1000}$/
const DOMAIN = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/
const TENANT = /^(?:common|organizations|consumers|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/

const COMMON = ['id', 'clientId', 'clientSecret', 'clientSecretFile', 'allowDomains', 'joinAccounts']
/** An e-mail address or an id. */
const ACCOUNT = /^(?:[^\s@]{1,64}@[^\s@]{1,253}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/
/** Microsoft's tenant of personal accounts, which is no organisation: everybody can have one. */
export const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const FIELDS: Readonly<Record<Provider['kind'], readonly string[]>> = {
  microsoft: ['tenant', 'allowTenants'],
  google: ['hd'],
  oidc: ['name', 'issuer', 'trustEmail'],
}
const KNOWN: Readonly<Record<string, { kind: Provider['kind']; name: string; issuer: string }>> = {
  microsoft: { kind: 'microsoft', name: 'Microsoft', issuer: MICROSOFT },
  google: { kind: 'google', name: 'Google', issuer: 'https://accounts.google.com' },
}

export interface ProviderReaders {
  /** Throws if it cannot be read. */
  readText: (path: string) => string
  /** Completes "issuer …", or null if calls to the URL are allowed. */
  refusalOf: (url: string) => string | null
  authorityUrl: string
}

/** Ends the reading of one provider with a sentence about it. */
class Wrong extends Error {}

function fail(sentence: string): never {
  throw new Wrong(sentence)
}

type Fields = Readonly<Record<string, unknown>>

function textIn(fields: Fields, name: string, form: RegExp, allowed: string): string {
  const value = fields[name]
  if (value === undefined) fail(`has no ${name}. Add ${allowed}`)
  return typeof value === 'string' && form.test(value) ? value : fail(`has a wrong ${name}. Allowed: ${allowed}`)
}

function listIn(fields: Fields, name: string, form: RegExp, allowed: string): string[] | null {
  const value = fields[name]
  if (value === undefined) return null
  const isGood = Array.isArray(value) && value.length > 0 && value.length <= LIST_MAX
  const words = isGood ? value.map((each) => String(each).toLowerCase()) : []
  return isGood && words.every((each) => form.test(each)) ? words : fail(`has wrong ${name}. Allowed: ${allowed}`)
}

function joinsIn(fields: Fields, kind: Provider['kind']): Record<string, string> {
  const given = fields.joinAccounts ?? {}
  const entries = typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.entries(given) : null
  const name = kind === 'microsoft' ? GUID : DOMAIN
  const isGood = ([organisation, account]: [string, unknown]) =>
    name.test(organisation) && organisation !== CONSUMERS && typeof account === 'string' && ACCOUNT.test(account)
  if (entries && entries.length <= LIST_MAX && entries.every(isGood))
    return Object.fromEntries(entries as [string, string][])
  const what = kind === 'microsoft' ? 'ids of tenants' : 'domains'
  return fail(`has wrong joinAccounts. Allowed: an object with ${what} as names, and addresses or ids of accounts`)
}

function secretIn(fields: Fields, readText: ProviderReaders['readText']): string {
  if (fields.clientSecretFile === undefined) return textIn(fields, 'clientSecret', VISIBLE, 'the secret of the client')
  if (fields.clientSecret !== undefined) fail('has clientSecret and clientSecretFile. Allowed: one of the two')
  const path = textIn(fields, 'clientSecretFile', /^[^\0]{1,4096}$/s, 'the path of a file')
  let text: string
  try {
    text = readText(path).trim()
  } catch {
    fail('names a file in clientSecretFile that cannot be read')
  }
  return VISIBLE.test(text) ? text : fail('names a file in clientSecretFile without a secret of one line')
}

function checkUrl(url: string, refusalOf: ProviderReaders['refusalOf']): string {
  const parsed = URL.parse(url)
  const hasMore = parsed === null || parsed.search !== '' || parsed.hash !== '' || parsed.username !== ''
  if (hasMore || (parsed.protocol !== 'https:' && !isLoopback(url)))
    fail('has a wrong issuer. Allowed: a URL like https://id.example.com, without a query')
  const refused = refusalOf(url)
  if (refused !== null)
    fail(`has an issuer that ${refused}. Name its host and port in DOCVET_OUTBOUND_ALLOW if it is your own`)
  return url
}

function microsoftIssuer(tenant: string | null, { authorityUrl, refusalOf }: ProviderReaders) {
  checkUrl(authorityUrl, refusalOf)
  return { issuer: `${MICROSOFT}/${tenant}/v2.0`, authorityUrl: authorityUrl === MICROSOFT ? null : authorityUrl }
}

function providerOf(given: unknown, readers: ProviderReaders): Provider {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) fail('is not an object')
  const fields = given as Fields
  const id = textIn(fields, 'id', ID, 'microsoft, google, or a short name such as keycloak')
  const known = KNOWN[id]
  const kind = known?.kind ?? 'oidc'
  const unknown = Object.keys(fields).find((name) => ![...COMMON, ...FIELDS[kind]].includes(name))
  if (unknown !== undefined) fail(`has an unknown field ${JSON.stringify(unknown.slice(0, 40))}`)
  const tenant =
    kind === 'microsoft' ? textIn(fields, 'tenant', TENANT, 'common, organizations, consumers or an id') : null
  const trust = fields.trustEmail ?? false
  const found =
    kind === 'microsoft'
      ? microsoftIssuer(tenant, readers)
      : {
          issuer: checkUrl(
            known?.issuer ?? textIn(fields, 'issuer', VISIBLE, 'the URL of the issuer'),
            readers.refusalOf,
          ),
          authorityUrl: null,
        }
  return {
    id,
    kind,
    name: known?.name ?? textIn(fields, 'name', NAME, 'a name of 1 to 40 characters'),
    ...found,
    clientId: textIn(fields, 'clientId', VISIBLE, 'the id of the client'),
    clientSecret: secretIn(fields, readers.readText),
    tenant,
    allowTenants: listIn(fields, 'allowTenants', GUID, 'a list of ids of tenants'),
    allowDomains: listIn(fields, 'allowDomains', DOMAIN, 'a list of domains'),
    joinAccounts: joinsIn(fields, kind),
    hd: fields.hd === undefined ? null : textIn(fields, 'hd', DOMAIN, 'a domain in lower case'),
    trustEmail: typeof trust === 'boolean' ? trust : fail('has a wrong trustEmail. Allowed: true, false'),
  }
}

/** Problems name a provider by its position, and never quote the list, which has secrets in it. */
export function parseProviders(
  list: readonly unknown[],
  readers: ProviderReaders,
): { providers: Provider[] } | { problems: string[] } {
  if (list.length > PROVIDERS_MAX) return { problems: [`it has more than ${PROVIDERS_MAX} providers.`] }
  const problems: string[] = []
  const providers: Provider[] = []
  for (const [index, given] of list.entries()) {
    try {
      const provider = providerOf(given, readers)
      if (providers.some(({ id }) => id === provider.id)) fail('has the id of an earlier one')
      providers.push(provider)
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      problems.push(`provider ${index + 1} ${error.message}.`)
    }
  }
  return problems.length > 0 ? { problems } : { providers }
}
