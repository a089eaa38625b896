import { isIPv6 } from 'node:net';

/**
 * By what requests of a client's address are counted: an IPv4 address, also if it is written within an IPv6 one; of
 * an IPv6 address the network of 64 bits, since a client that has one address there has them all. A port that a proxy added is
 * left out.
 * @param address `undefined` if the client has gone already
 */
export const countedAddress = (address = ''): string => {
  const [plain = ''] = address
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .split('%', 1);
  return isIPv6(plain) ? networkOf(groupsOf(plain)) : plain;
};

const networkOf = (groups: readonly string[]): string => {
  if (/^(?:0:){5}ffff:/.test(groups.join(':'))) {
    const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  return `${groups.slice(0, 4).join(':')}::/64`;
};

/** All eight, in the shortest spelling. */
const groupsOf = (address: string): readonly string[] => {
  const { hostname } = new URL(`http://[${address}]`);
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  return [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
};
