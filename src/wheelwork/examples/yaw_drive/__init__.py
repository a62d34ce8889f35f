"""The yaw drive of a wind turbine: any number of pinions, frequency responses, load sharing.

`python -m wheelwork.examples.yaw_drive` prints the numbers of the example's page.
"""

from .drive import yaw_drive
from .responses import Response, frequency_response, shifted_errors
from .sharing import Sharing, load_sharing

__all__ = ["Response", "Sharing", "frequency_response", "load_sharing", "shifted_errors", "yaw_drive"]
