/** A text in which addresses are links. Only http and https: what a text says is not a script. */
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
