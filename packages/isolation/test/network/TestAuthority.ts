/** A temporary certificate authority: its keys are created here and never stored. */
import { randomUUID } from "node:crypto";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import selfsigned from "selfsigned";

export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface TestAuthority {
  /** PEM of the authority itself. */
  readonly cert: string;
  /** Issues a certificate for host names and IPv4 addresses. */
  readonly issue: (
    hosts: ReadonlyArray<string>,
    validity?: { readonly from: Date; readonly to: Date }
  ) => Promise<KeyAndCertificate>;
}

const make = async (name: string, options: Parameters<typeof selfsigned.generate>[1]) =>
  selfsigned.generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    ...options
  });

const altName = (host: string) =>
  /^[\d.]+$/u.test(host) ? { type: 7 as const, ip: host } : { type: 2 as const, value: host };

/** This process trusts the authority, until the returned function is called: test files can share a process. */
export const trust = (authorityPem: string): (() => void) => {
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, authorityPem]);
  return () => setDefaultCACertificates(trusted);
};

export const testAuthority = async (): Promise<TestAuthority> => {
  // TLS finds an issuer by its name, so each authority needs a unique one.
  const authority = await make(`Throw-away authority ${randomUUID()}`, {
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true }
    ]
  });
  return {
    cert: authority.cert,
    issue: async (hosts, validity) => {
      const { private: key, cert } = await make(hosts[0] ?? "", {
        ca: { key: authority.private, cert: authority.cert },
        extensions: [{ name: "subjectAltName", altNames: hosts.map(altName) }],
        ...(validity === undefined ? {} : { notBeforeDate: validity.from, notAfterDate: validity.to })
      });
      return { key, cert };
    }
  };
};
