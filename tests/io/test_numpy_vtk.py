"""VTKHDF opens in h5py and in VTK, PLY and OBJ in VTK; MDD holds what PC2 holds."""
import h5py
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

from recording import FRAMES, check, folder, mdd, record


def points_of(reader, path):
    reader.SetFileName(path)
    reader.Update()
    return vtk_to_numpy(reader.GetOutput().GetPoints().GetData()), reader.GetOutput()


with folder() as out:
    expected = record(out)
    assert len(expected) == FRAMES + 1, len(expected)
    assert np.abs(expected[-1] - expected[0]).max() > 0.01, "nothing moved"
    check("mdd", mdd(f"{out}/first.mdd"), expected, 0.0)

    with h5py.File(f"{out}/first.vtkhdf") as file:
        root = file["VTKHDF"]
        check("h5py", root["Points"][:].reshape(expected.shape), expected, 0.0)
        assert root.attrs["Type"] == b"UnstructuredGrid", root.attrs["Type"]
        assert root["Steps"].attrs["NSteps"] == FRAMES + 1
        assert np.allclose(root["Steps/Values"][:], np.arange(FRAMES + 1) / 60.0)
        faces = len(root["Types"])
        count = expected.shape[1]
        # A grid of 9 x 7, whose image lies along x and against z as its front shows it.
        sides = [np.linalg.norm(expected[0][8] - expected[0][0]), np.linalg.norm(expected[0][54] - expected[0][0])]
        uv = np.array([[c / 8, 1 - r / 6] for r in range(7) for c in range(9)])
        check("h5py, texture coordinates", root["PointData/TextureCoordinates"][:], uv, 1e-6)
        assert (root["Steps/PointDataOffsets/TextureCoordinates"][:] == 0).all()
        corners = np.split(root["Connectivity"][:], root["Offsets"][1:-1])
        edges = np.array(sorted({tuple(sorted((a, b))) for face in corners for a, b in zip(face, np.roll(face, -1))}))
        lengths = np.linalg.norm((uv[edges[:, 0]] - uv[edges[:, 1]]) * sides, axis=1)
        for frame, positions in enumerate(expected):
            at = root["Steps/PointDataOffsets/Normals"][frame]
            assert at == frame * count == root["Steps/PointDataOffsets/Stretch"][frame], at
            normals = root["PointData/Normals"][at:at + count]
            assert np.allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-5)
            sums = np.zeros_like(positions)
            for face in corners:
                a, b, c = positions[face[:3]]
                sums[face] += np.cross(b - a, c - a)
            cosines = (sums * normals).sum(1) / np.linalg.norm(sums, axis=1)
            assert cosines.min() > 0.95, (frame, cosines.min())
            stretch = np.zeros(count)
            ratios = np.linalg.norm(positions[edges[:, 0]] - positions[edges[:, 1]], axis=1) / lengths
            np.maximum.at(stretch, edges.reshape(-1), np.repeat(ratios, 2))
            check("h5py, stretch", root["PointData/Stretch"][at:at + count], stretch, 1e-4)
        assert root["Offsets"][-1] == len(root["Connectivity"])

    points, grid = points_of(vtk.vtkHDFReader(), f"{out}/first.vtkhdf")
    check("VTK's HDF reader, first frame", points, expected[0], 0.0)
    arrays = {grid.GetPointData().GetArrayName(i): grid.GetPointData().GetArray(i) for i in range(grid.GetPointData().GetNumberOfArrays())}
    assert {"Normals": 3, "Stretch": 1, "TextureCoordinates": 2} == {n: a.GetNumberOfComponents() for n, a in arrays.items()}, arrays
    check("VTK's HDF reader, texture coordinates", vtk_to_numpy(arrays["TextureCoordinates"]), uv, 1e-6)
    assert grid.GetNumberOfCells() == faces, (grid.GetNumberOfCells(), faces)
    for frame in (0, FRAMES):
        check(f"VTK's PLY reader, frame {frame}", points_of(vtk.vtkPLYReader(), f"{out}/first_{frame:04d}.ply")[0],
              expected[frame], 0.0)
        check(f"VTK's OBJ reader, frame {frame}", points_of(vtk.vtkOBJReader(), f"{out}/first_{frame:04d}.obj")[0],
              expected[frame])
