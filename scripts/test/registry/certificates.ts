/** TLS on loopback: a certificate authority made for the test, and its certificate for 127.0.0.1. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import selfsigned from "selfsigned";

const KEYS = { keyType: "ec", algorithm: "sha256" } as const;

export interface Certificates {
  /** For NODE_EXTRA_CA_CERTS of clients. */
  readonly authorityFile: string;
  readonly keyFile: string;
  readonly certificateFile: string;
}

export const writeCertificates = async (folder: string): Promise<Certificates> => {
  const authority = await selfsigned.generate([{ name: "commonName", value: "Throw-away authority" }], {
    ...KEYS,
    extensions: [{ name: "basicConstraints", cA: true, critical: true }]
  });
  const server = await selfsigned.generate([{ name: "commonName", value: "127.0.0.1" }], {
    ...KEYS,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }]
  });
  const files = {
    authorityFile: path.join(folder, "authority.pem"),
    keyFile: path.join(folder, "key.pem"),
    certificateFile: path.join(folder, "certificate.pem")
  };
  await writeFile(files.authorityFile, authority.cert);
  await writeFile(files.keyFile, server.private);
  await writeFile(files.certificateFile, server.cert);
  return files;
};
