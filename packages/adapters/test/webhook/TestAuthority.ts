/** A temporary certificate authority: its keys are created here and never stored. */
import selfsigned from "selfsigned";

export interface KeyAndCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface TestAuthority {
  /** PEM of the authority itself. */
  readonly cert: string;
  /** For names and IPv4 addresses. */
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

export const testAuthority = async (name = "Throw-away authority"): Promise<TestAuthority> => {
  const authority = await make(name, {
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
