"""The traffic meter: bytes moved between host and compute device, by direction and by step."""

from dataclasses import dataclass


@dataclass
class TrafficMeter:
    """Counts block bytes in each direction since it was made and since the last `start_step()`.

    `step_hot_bytes` were read too, and did not have to move.

    On a CPU-only machine nothing crosses a bus; the same counters then say how many cold bytes attention
    read and how many were written, which is what a GPU would have moved.
    """

    host_to_device_bytes: int = 0
    device_to_host_bytes: int = 0
    step_host_to_device_bytes: int = 0
    step_device_to_host_bytes: int = 0
    step_hot_bytes: int = 0

    def start_step(self) -> None:
        self.step_hot_bytes = 0
        self.step_host_to_device_bytes = 0
        self.step_device_to_host_bytes = 0

    def count_load(self, num_bytes: int) -> None:
        self.host_to_device_bytes += num_bytes
        self.step_host_to_device_bytes += num_bytes

    def count_hot(self, num_bytes: int) -> None:
        """Attention asked for bytes that were on the device already."""
        self.step_hot_bytes += num_bytes

    def count_store(self, num_bytes: int) -> None:
        self.device_to_host_bytes += num_bytes
        self.step_device_to_host_bytes += num_bytes
