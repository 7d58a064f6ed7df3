/** Tests whether an IP address is in one of several networks. */
import { BlockList, isIPv4 } from 'node:net'

/** Each is an address, or a network such as `10.0.0.0/8`. Throws for anything else. */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => {
    const [ip = ''] = address.split('%', 1)
    return ip !== '' && list.check(ip, isIPv4(ip) ? 'ipv4' : 'ipv6')
  }
}
