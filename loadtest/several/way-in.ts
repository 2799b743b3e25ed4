import { randomInt } from "node:crypto";
import { type LoadBalancer, startLoadBalancer } from "../stack/caddy.ts";
import { startNames } from "../stack/names.ts";
import { freePort } from "../stack/stack.ts";

/** Where the Caddyfile finds its upstreams, as it is written. */
const GATEWAYS = "reverse_proxy {re.node.1}:8090 {";
const CONTROL_APIS = "dynamic a control-api 8080 {";
/** Second parts of an address on the loopback: each run has a network of its own. */
const [FIRST_NETWORK, LAST_NETWORK] = [64, 250];
const GATEWAY_NAME = /^gateway-(\d+)$/;

/**
 * The product's own load balancer in front of several gateways and control APIs. Each process has an address of its own, as
 * on machines of their own, and is found by its name, as in Docker or Kubernetes: a gateway that is added changes nothing
 * here.
 */
export interface WayIn {
  readonly url: string;
  /** Environment of the gateway of this number, from 1. */
  gatewayEnv(nr: number): Readonly<Record<string, string>>;
  /** Environment of the control API of this number, from 1. */
  controlApiEnv(nr: number): Readonly<Record<string, string>>;
  /** The control API of this number itself, without the load balancer. */
  controlApiUrl(nr: number): string;
  close(): Promise<void>;
}

/** Starts it for so many control APIs; needs Caddy and Linux, whose loopback is a whole network. */
export async function openWayIn(controlApis: number): Promise<WayIn> {
  const network = `127.${randomInt(FIRST_NETWORK, LAST_NETWORK)}`;
  const gatewayAt = (nr: string): string => `${network}.0.${nr}`;
  const controlApiAt = (nr: number): string => `${network}.1.${nr}`;
  const all = Array.from({ length: controlApis }, (_, i) => controlApiAt(i + 1));
  const [port, gatewayPort, controlApiPort] = [await freePort(), await freePort(), await freePort()];
  const names = await startNames((name) => {
    if (name === "control-api") return all;
    const [, nr] = GATEWAY_NAME.exec(name) ?? [];
    return nr === undefined ? [] : [gatewayAt(nr)];
  });
  const edited = (caddyfile: string): string => {
    const [gateways, apis] = [
      `reverse_proxy {re.node.1}:${gatewayPort} {\ntransport http {\nresolvers udp/${names.address}\n}`,
      `dynamic a control-api ${controlApiPort} {\nresolvers udp/${names.address}`,
    ];
    if (!caddyfile.includes(GATEWAYS) || !caddyfile.includes(CONTROL_APIS))
      throw new Error("the Caddyfile names its upstreams otherwise");
    return caddyfile.replace(GATEWAYS, gateways).replaceAll(CONTROL_APIS, apis);
  };
  let loadBalancer: LoadBalancer;
  try {
    loadBalancer = await startLoadBalancer(port, edited);
  } catch (error) {
    names.close();
    throw error;
  }
  const { url } = loadBalancer;
  const common = { TRUST_PROXY: "127.0.0.1/32" };
  return {
    url,
    gatewayEnv: (nr) => ({
      ...common,
      HOST: gatewayAt(String(nr)),
      GATEWAY_PORT: String(gatewayPort),
      GATEWAY_PUBLIC_URL: `${url.replace("http:", "ws:")}/gateway-${nr}`,
    }),
    controlApiEnv: (nr) => ({
      ...common,
      HOST: controlApiAt(nr),
      CONTROL_API_PORT: String(controlApiPort),
      PUBLIC_URL: url,
    }),
    controlApiUrl: (nr) => `http://${controlApiAt(nr)}:${controlApiPort}`,
    close: async () => {
      await loadBalancer.stop();
      names.close();
    },
  };
}
