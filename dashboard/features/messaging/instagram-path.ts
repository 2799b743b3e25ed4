/** API path of an organization's Instagram accounts. */
export function instagramPath(orgId: string): string {
  return `/api/orgs/${orgId}/instagram/channels`;
}
