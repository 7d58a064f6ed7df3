import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { classifyTarget, describeTarget, foreignServers, reachOf, SHOWN_MAX } from './targets.ts'

const kindOf = (target: string) => classifyTarget(target).kind

suite('targets of links', () => {
  const KINDS: Record<string, readonly string[]> = {
    web: [
      'http://example.com/a',
      'HTTPS://example.com',
      ' \u0001http://example.com',
      'ht\ntp://example.com',
      'URL:https://a.example',
    ],
    webIp: [
      'http://192.0.2.7/a',
      'http://user@192.0.2.7:8080/',
      'http://0xC0000207/',
      'http://3221225991/',
      'http://0300.0.2.7/',
      'http://[2001:db8::1]/',
    ],
    share: [
      String.raw`\\198.51.100.1\share\a.doc`,
      '//files.example/share',
      'file://files.example/share/a.exe',
      'file:////files.example/share',
      String.raw`file:\\files.example\share`,
      String.raw`file:///\\files.example\share`,
      String.raw`\\files.example@SSL\DavWWWRoot\a`,
      String.raw`\\files.example@8080\a`,
      String.raw`\\?\UNC\files.example\share`,
      'smb://files.example/share',
      'davs://files.example/share',
      'file://%66iles.example/a',
      'file://\ufffd.files.example/a',
      String.raw`\\b\u00fccher.example\a`,
      String.raw`\\[2001:db8::1]\a`,
    ],
    file: [
      'file:///C:/Users/a.dotm',
      String.raw`file://C:\a.docx`,
      'file:///C|/a.docx',
      String.raw`C:\Users\a.xlsx`,
      'file://localhost/Users/a/b.xlsx',
      'file://127.0.0.1/c/a',
      'file:/etc/passwd',
      'file:///etc/passwd',
      String.raw`\\localhost\c$\a`,
      String.raw`\\?\C:\a`,
      '/usr/share/a',
      'file://%~f0',
      'file://%~dpnx0/a.js',
      'file://{path}',
      'file://\ufffd',
      'file://\ufffd/a',
      String.raw`\\%SERVER%\share`,
      String.raw`\\\"https://example.com/a.png\\\"`,
      String.raw`\\'https://example.com/a.png`,
    ],
    relative: ['Normal.dotm', '../a.docx', '#bookmark', '', 'a:b/c'.slice(2)],
    script: [
      'javascript:alert(1)',
      'JaVa\tScript:x',
      'vbscript:x',
      'data:text/html;base64,PGE+',
      'data:image/svg+xml,<svg/>',
    ],
    data: ['data:image/png;base64,AAAA', 'data:text/plain,a'],
    mail: ['mailto:a@example.com', 'tel:+4312345'],
    other: ['urn:isbn:1', 'about:blank', 'zoommtg:x'],
    handler: [
      'ms-msdt:/id PCWDiagnostic',
      'search-ms:query=a',
      'ms-word:ofe|u|https://example.com/a.docx',
      'shell:startup',
    ],
  }
  for (const [kind, targets] of Object.entries(KINDS))
    for (const target of targets) test(`${JSON.stringify(target)} is ${kind}`, () => assert.equal(kindOf(target), kind))

  test('two slashes mean a web address in a page', () => {
    for (const slashes of ['//', '///'])
      assert.equal(classifyTarget(`${slashes}cdn.example/a.js`, { isPage: true }).kind, 'web')
    for (const start of ['////', '\\\\', '/\\', '//\\', '\\\\\\'])
      assert.equal(classifyTarget(`${start}files.example/a.js`, { isPage: true }).kind, 'share', start)
  })

  test('names the host without user, port and WebDAV suffix', () => {
    assert.equal(classifyTarget('https://a:b@Example.com:444/x').host, 'example.com')
    assert.equal(classifyTarget(String.raw`\\files.example@SSL@443\DavWWWRoot\a`).host, 'files.example')
  })

  test('a number after the user of a web address is a host', () => {
    for (const host of ['3221225985', '0xC0000201', '192.0.2.1'])
      assert.equal(kindOf(`hTTp://office@${host}/a`), 'webIp', host)
    assert.equal(classifyTarget(String.raw`\\files.example@8080\a`).host, 'files.example')
  })

  test('a local host is not remote', () => {
    assert.equal(classifyTarget('http://localhost:8080/a').isRemote, false)
    assert.equal(classifyTarget('http://127.0.0.1/a').kind, 'web')
    assert.equal(classifyTarget('http://example.com').isRemote, true)
  })

  const SEVERITIES: readonly (readonly [string, string])[] = [
    ['ms-msdt:/id PCWDiagnostic /param x', 'malicious'],
    ['search-ms:query=a', 'suspicious'],
    ['search-ms:query=a&crumb=location:%5C%5Cfiles.example%5Cshare', 'malicious'],
    [String.raw`search:query=a&crumb=location:\\files.example\share`, 'malicious'],
    ['ms-appinstaller:?source=https://example.com/a.appx', 'malicious'],
    ['ms-excel:ofe|u|https://example.com/a.xlsx', 'notice'],
    ['onenote:https://example.com/a.one', 'notice'],
    ['ms-word:ofe|u|https://3m.example/a.docx', 'notice'],
    ['ms-excel:ofe|u|http://example.com/a.xlsx', 'suspicious'],
    ['ms-excel:ofe|u|https://192.0.2.1/a.xlsx', 'suspicious'],
    [String.raw`ms-word:ofe|u|\\files.example\a.docx`, 'suspicious'],
    ['ms-excel:nft', 'notice'],
    ['ms-its:C:/help.chm::/a.htm', 'notice'],
    ['mhtml:file://C:\\Users\\a\\b.mht!https://example.com/', 'notice'],
    ['mhtml:file:///C:/b.mht', 'notice'],
    ['mhtml:http://example.com/b.mht!https://example.com/', 'malicious'],
    ['mhtml:file://files.example/b.mht!c', 'malicious'],
    [String.raw`mhtml:\\files.example\b.mht`, 'malicious'],
    ['mhtml:file://C:/b.mht!x-usc:http://example.com/', 'malicious'],
    ['mhtml:file://C:/b.mht!https://example.com/!x-usc:a', 'malicious'],
    ['mk:@MSITStore:http://example.com/a.chm::/b.htm', 'malicious'],
    ['ppaction://hlinkshowjump?jump=nextslide', 'notice'],
    ['ppaction://program', 'malicious'],
    ['mailto:a@example.com?subject=b', 'notice'],
    ['mailto:a@example.com?attach=/etc/passwd', 'suspicious'],
    ['javascript:void(0)', 'notice'],
    ['https://example.com/', 'notice'],
    [String.raw`\\files.example\a`, 'suspicious'],
  ]
  for (const [target, severity] of SEVERITIES)
    test(`${target} is ${severity}`, () => assert.equal(classifyTarget(target).severity, severity))
})

suite('the place of a host', () => {
  const HOSTS: Record<ReturnType<typeof reachOf>, string> = {
    company: `fileserver files.company.local FILES.LAN wiki.intranet a.internal dc1.corp 10.0.0.1 10.255.255.254 10.0.0.1. 172.16.0.1
      172.31.255.254 192.168.1.10 169.254.7.7 0x0a000001 167772161 012.0.0.1 10.1 0xc0.0xa8.1.1 [fd00::1] [fe80::1%25eth0] [::ffff:10.0.0.1]
      [::ffff:a00:1] fd00--1.ipv6-literal.net 127.0.0.1 [::1] 1024 \uff11\uff10.0.0.1`,
    zone: 'files.ad.example.com files.corp.example.com.',
    internet: `10.example.com 10.0.0.1.example.com 192.168.example.com 192.168.1.10.example.com 172.16.example.com 169.254.example.com
      localhost.example.com 127.example.com 172.15.0.1 172.32.0.1 192.169.0.1 169.253.0.1 169.255.0.1 9.255.255.255 11.0.0.0
      203.0.113.5 203.0.113.5. 3405803781 0xcb007105 0313.0.0161.5 0xcb.0.0x71.5 203.28933 [2001:db8::1] [::ffff:203.0.113.5] [fbff::1]
      [fec0::1] 2001-db8--1.ipv6-literal.net 10.0.0.256 10.0.0.0.1 [10::::1] example\u3002com 10.example\uff0ecom evil%2ecom fileserver.example.com
      example.com%2f.local example.com%5c.local example.com%3f.local example.com%23.local example.com%00.local example.com\uff0f.local
      example.c\u2100.local`,
  }
  for (const [reach, hosts] of Object.entries(HOSTS))
    for (const host of hosts.split(/\s+/)) test(`${host} is in ${reach}`, () => assert.equal(reachOf(host), reach))

  test('is the same for file servers in a command, except with the port of WebDAV', () => {
    const servers = ['fileserver', '10.0.0.1', '10.example.com', 'fileserver@80', '203.0.113.5', 'example\u3002com']
    assert.deepEqual(foreignServers(servers.map((server) => `copy \\\\${server}\\s\\a`).join(' & ')), [
      false,
      false,
      true,
      true,
      true,
      true,
    ])
  })

  test('is the same with slashes, which Windows accepts', () => {
    const paths = ['\\\\example.com/s/a', '\\/example.com\\s', '\\\\fileserver/s/a', 'https://example.com/a']
    assert.deepEqual(paths.map(foreignServers), [[true], [true], [false], []])
    const others = ['C:\\app\\/v1.2/tool.exe', '"https:\\/\\/example.com\\/a"']
    assert.deepEqual(others.map(foreignServers), [[], []])
  })
})

suite('the description of a target', () => {
  test('cannot be opened by accident', () => {
    assert.equal(describeTarget('https://www.example.com/a.b?c=d'), 'hxxps://www[.]example[.]com/a.b?c=d')
    assert.equal(describeTarget(String.raw`\\files.example\a`), String.raw`\\files[.]example\a`)
  })

  test('is printable and short', () => {
    assert.equal(describeTarget('http://a\u0007\u202eb'), 'hxxp://a??b')
    assert.equal(describeTarget('x'.repeat(SHOWN_MAX)).length, SHOWN_MAX)
    assert.equal(describeTarget('x'.repeat(SHOWN_MAX + 1)).length, SHOWN_MAX)
    assert.ok(describeTarget('x'.repeat(SHOWN_MAX + 1)).endsWith('...'))
  })
})
