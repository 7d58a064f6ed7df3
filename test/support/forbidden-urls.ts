/** Forms of addresses that the service never calls unless the operator allows it. */

/** Addresses that are refused, as a name server may answer them. */
export const ADDRESSES = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.1.2.3'],
  ...['169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1'],
  ...['192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['::', '::1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:a9fe:a9fe', '::ffff:10.0.0.1'],
  // Translated, NAT64, discard, Teredo, benchmark, ORCHID, documentation, 6to4, segment routing.
  ...['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1', '100::1', '2001::1', '2001:2::1'],
  ...['2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::1', '2002:a9fe:a9fe::', '3fff::1', '5f00::1'],
  ...[
    'fc00::1',
    'fd00:ec2::254',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'ff0e::1',
  ],
  ...['4000::1', '8000::1', 'e000::1'],
]

/** Written as numbers, with other digits and dots, or with parts that a parser reads differently. */
export const DISGUISED = [
  ...['2130706433', '017700000001', '0x7f000001', '0x7F.0.0.1', '0177.0.0.1', '127.1', '127.0.1', '0x7f.1', '0'],
  ...['①②⑦.0.0.1', '１２７.0.0.1', '127。0。0。1', '127.0.0.1.', '%31%32%37.0.0.1', '2852039166', '0xa9fea9fe'],
  ...['0251.0376.0251.0376', '169.16689662', '3232235521', '[::127.0.0.1]', '[0:0:0:0:0:0:0:1]', '[::FFFF:127.0.0.1]'],
  ...['[0000::1]', '[::ffff:0:127.0.0.1]', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ⓛocalhost'],
]

export const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address)

/** Every form as a URL. */
export const FORBIDDEN_URLS = [
  ...ADDRESSES.filter((each) => !each.includes('%')).map((address) => `https://${inUrl(address)}`),
  ...DISGUISED.map((host) => `https://${host}`),
]
