/** True where the host of an absolute URL is this machine: localhost, 127.0.0.0/8 or ::1. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
