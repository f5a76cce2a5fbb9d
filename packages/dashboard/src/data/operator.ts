/**
 * The operator's API with the admin token. The token is kept only in memory: it is lost when the tab is closed or
 * reloaded, and a password manager can fill it in again.
 */
import { call, type CallOptions } from "./calls.ts";

export interface OperatorAccount {
  readonly id: string;
  readonly name: string;
  readonly balance: number;
  /** Name of its plan. */
  readonly plan: string;
}

export const operatorCall =
  (token: string) =>
  <A>(method: string, path: string, options: CallOptions = {}): Promise<A> =>
    call(method, `/admin/v1${path}`, { ...options, headers: { authorization: `Bearer ${token}` } });

export type OperatorCall = ReturnType<typeof operatorCall>;

export const accountPath = (id: string, rest = ""): string => `/accounts/${encodeURIComponent(id)}${rest}`;

/** A request that verifies the token, even if there are no accounts. */
export const checkToken = async (token: string): Promise<boolean> => {
  try {
    await operatorCall(token)("GET", accountPath("none"));
    return true;
  } catch (error) {
    const { status } = error as { readonly status?: number };
    if (status === 401) return false;
    if (status === 404) return true;
    throw error;
  }
};

export interface Readiness {
  readonly isReady: boolean;
  readonly message: string | null;
}

export const readiness = async (): Promise<Readiness> => {
  try {
    await call("GET", "/readyz");
    return { isReady: true, message: null };
  } catch (error) {
    return { isReady: false, message: (error as Error).message };
  }
};
