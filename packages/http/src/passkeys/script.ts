/**
 * The program of the pages that use a passkey. It sends no data to other servers and changes only the alert of the page. It
 * converts the options on its own: browsers that have no `parseRequestOptionsFromJSON` are supported.
 */

/** The source of the program. Its button has the URLs of the options and of the result in `data-passkey` and `data-result`. */
export const passkeyScript = `
const button = document.querySelector("[data-passkey]");
if (button !== null && "PublicKeyCredential" in window) {
  const problem = document.querySelector("[data-problem]");
  const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const toText = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const post = async (url, body) => {
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  };
  let running;
  const use = async (mediation) => {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    problem.hidden = true;
    try {
      const options = await post(button.dataset.passkey, {});
      const credential = await navigator.credentials.get({
        ...(mediation === undefined ? {} : { mediation }),
        signal: controller.signal,
        publicKey: {
          ...options,
          challenge: toBytes(options.challenge),
          allowCredentials: (options.allowCredentials ?? []).map((one) => ({ ...one, id: toBytes(one.id) }))
        }
      });
      const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
      const { location } = await post(button.dataset.result, {
        returnTo: button.dataset.return ?? "",
        response: {
          id: credential.id,
          rawId: toText(credential.rawId),
          type: credential.type,
          response: {
            clientDataJSON: toText(clientDataJSON),
            authenticatorData: toText(authenticatorData),
            signature: toText(signature),
            ...(userHandle === null || userHandle.byteLength === 0 ? {} : { userHandle: toText(userHandle) })
          }
        }
      });
      window.location.assign(location);
    } catch {
      // Another use has replaced this one, or the person has chosen none of the suggested passkeys.
      problem.hidden = controller.signal.aborted || mediation !== undefined;
    }
  };
  button.hidden = false;
  button.addEventListener("click", () => use());
  if (button.dataset.autofill !== undefined) {
    PublicKeyCredential.isConditionalMediationAvailable?.().then((isAvailable) => isAvailable && use("conditional"));
  }
}
`
