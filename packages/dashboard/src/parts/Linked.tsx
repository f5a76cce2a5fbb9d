/** Turns URLs in a text into links. Only http and https, so that text cannot run scripts. */
const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/u;

export const Linked = ({ text }: { readonly text: string }) => (
  <>
    {text.split(ADDRESS).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <a key={index} href={part} rel="noreferrer noopener">
          {part}
        </a>
      )
    )}
  </>
);
