import { describe, expect, it } from '@jest/globals';
import { RouteTable } from './route-table.js';

const table = new RouteTable();
table.add({ method: 'GET', pattern: '/organisations/:orgId/roles' });
table.add({ method: 'HEAD', pattern: '/organisations/:orgId/roles' });
table.add({ method: 'POST', pattern: '/organisations/:orgId/roles' });
table.add({ method: 'PATCH', pattern: '/organisations/:orgId/roles/:roleId' });
table.add({ method: 'GET', pattern: '/organisations/:orgId/roles/special' });
table.add({ method: 'GET', pattern: '/' });
table.add({ method: 'GET', pattern: '/console/*' });

describe('the route table', () => {
  it.each([
    ['/organisations/x/roles', ['GET', 'HEAD', 'POST']],
    ['/organisations/x/roles?limit=5', ['GET', 'HEAD', 'POST']],
    ['/organisations/x/%72oles', ['GET', 'HEAD', 'POST']],
    ['/organisations/%zz/roles', ['GET', 'HEAD', 'POST']],
    ['/organisations/x/roles/y', ['PATCH']],
    ['/organisations/x/roles/special', ['GET', 'PATCH']],
    ['/organisations//roles', []],
    ['/organisations/x/roles/', []],
    ['/organisations/x', []],
    ['/ORGANISATIONS/x/roles', []],
    ['/', ['GET']],
    ['', []],
    ['*', []],
    ['/console/', ['GET']],
    ['/console/x/roles/y?after=z', ['GET']],
    ['/console', []],
  ])('knows the methods of %j', (url, methods) => expect(table.methodsOf(url)).toEqual(methods));

  it('lists its routes', () => expect(table.routes()).toHaveLength(7));
});
