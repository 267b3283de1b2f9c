# SPDX-License-Identifier: Apache-2.0
"""Logs in at an org with requests-oauth2client and DPoP, uses and renews the login, and prints the statuses."""
import json
import sys

import requests
from binapy import BinaPy
from requests_oauth2client import DPoPKey, OAuth2Client

url, client_id, client_secret, username, password = sys.argv[1:]
client = OAuth2Client(
    f"{url}/services/oauth2/token", client_id=client_id, client_secret=client_secret, dpop_bound_access_tokens=True,
    testing=True)
token = client.resource_owner_password(username, password, scope="api refresh_token")
data = f"{url}/services/data/v60.0/query?q=SELECT+Id+FROM+Account+LIMIT+1"
outcome = {"type": token.token_type, "first": requests.get(data, auth=token).status_code}
renewed = client.refresh_token(token)
outcome["renewed"] = requests.get(data, auth=renewed).status_code
outcome["posted"] = requests.post(
    f"{url}/services/data/v60.0/sobjects/Account", json={"Name": "By a peer"}, auth=renewed).status_code
used = requests.get(data, auth=renewed).request.headers
outcome["replayed"] = requests.get(data, headers=used).status_code
outcome["bearer"] = requests.get(data, headers={"Authorization": f"Bearer {renewed.access_token}"}).status_code
thief = DPoPKey.generate(rs_nonce=renewed.dpop_key.rs_nonce)
ath = BinaPy(renewed.access_token).to("sha256").to("b64u").ascii()
stolen = {"Authorization": used["Authorization"], "DPoP": str(thief.proof("GET", data, ath))}
outcome["stolen"] = requests.get(data, headers=stolen).status_code
print(json.dumps(outcome))
