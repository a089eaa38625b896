import { BlockList, isIP } from 'node:net';

/** Networks that nobody else reaches, or that are set apart (IANA's registries of special-purpose addresses). */
const RESERVED_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Of the unicast addresses: tunnels, which lead to any IPv4 address, and what is set apart. */
const RESERVED_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const reserved = new BlockList();
for (const [net, prefix] of RESERVED_V4) reserved.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of RESERVED_V6) reserved.addSubnet(net, prefix, 'ipv6');
/** The only addresses that were ever given out for the internet: mapped, link-local and the like lie outside. */
const unicast = new BlockList();
unicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address lies in the public internet. Anything that is not plainly so does not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !reserved.check(address, 'ipv4');
  // A zone (`%eth0`) makes an address of this machine's own networks.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return unicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
};
