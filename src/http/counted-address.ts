import { isIPv6 } from 'node:net';

/**
 * The key by which rate limits count a client's requests: the IPv4 address, also if it is written as an IPv6 one, or
 * the first 64 bits of an IPv6 address, since one client usually has that whole network. A port that a proxy has added
 * is removed.
 * @param address `undefined`: the client has closed the connection. The result is `''` then
 */
export const countedAddress = (address = ''): string => {
  const [plain = ''] = address
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .split('%', 1);
  return isIPv6(plain) ? networkOf(groupsOf(plain)) : plain;
};

/** The network of an IPv6 address, or the IPv4 address in it. */
const networkOf = (groups: readonly string[]): string => {
  if (/^(?:0:){5}ffff:/.test(groups.join(':'))) {
    const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
};

/** All eight groups of an IPv6 address, each without leading zeros. */
const groupsOf = (address: string): readonly string[] => {
  const { hostname } = new URL(`http://[${address}]`);
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
};
