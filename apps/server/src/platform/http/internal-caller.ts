import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

const privateNetworks = new BlockList()
privateNetworks.addSubnet('127.0.0.0', 8, 'ipv4')
privateNetworks.addSubnet('10.0.0.0', 8, 'ipv4')
privateNetworks.addSubnet('172.16.0.0', 12, 'ipv4')
privateNetworks.addSubnet('192.168.0.0', 16, 'ipv4')
privateNetworks.addAddress('::1', 'ipv6')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

/** BlockList also matches an IPv4 address in IPv6 form (`::ffff:10.0.0.1`) with the IPv4 rules. */
export const isListed = (list: BlockList, address: string | undefined): boolean =>
  address !== undefined && isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')

/** Whether the caller is in our own network and connects directly. A public proxy would add a forwarding header. */
export const isInternalCaller = (request: IncomingMessage): boolean =>
  request.headers['x-forwarded-for'] === undefined &&
  request.headers.forwarded === undefined &&
  isListed(privateNetworks, request.socket.remoteAddress)
